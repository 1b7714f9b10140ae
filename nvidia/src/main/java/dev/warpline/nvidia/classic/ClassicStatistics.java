package dev.warpline.nvidia.classic;

import dev.warpline.engine.Counters;
import dev.warpline.memory.cache.AccessKind;
import dev.warpline.memory.cache.DataCache;
import dev.warpline.memory.cache.Outcome;
import dev.warpline.memory.detailed.MemorySide;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads every counter of the machine into one map of dotted names, in a fixed order. */
final class ClassicStatistics {
  private ClassicStatistics() {}

  /** All counters since the start. */
  static Map<String, Number> read(List<ClassicSm> sms, MemorySide memory) {
    Map<String, Number> all = new LinkedHashMap<>();
    put(all, "sm.", Counters.sum(sms));
    List<LoadStoreUnit> units = new ArrayList<>();
    List<DataCache> l1 = new ArrayList<>();
    for (ClassicSm sm : sms) {
      units.add(sm.loadStore());
      l1.add(sm.l1());
    }
    put(all, "loadStore.", Counters.sum(units));
    for (int lanes = 0; lanes <= 32; lanes++) {
      long issued = 0;
      for (ClassicSm sm : sms) {
        issued += sm.issuedByLanes[lanes];
      }
      all.put("issue.lanes" + lanes, issued);
    }
    for (int s = 0; s < sms.get(0).singleIssues.length; s++) {
      long single = 0;
      long dual = 0;
      for (ClassicSm sm : sms) {
        single += sm.singleIssues[s];
        dual += sm.dualIssues[s];
      }
      all.put("issue.scheduler" + s + ".single", single);
      all.put("issue.scheduler" + s + ".dual", dual);
    }
    if (sms.get(0).instructions() != null) {
      put(all, "l1i.", Counters.sum(sms.stream().map(ClassicSm::instructions).toList()));
      cache(all, "l1i.", sms.stream().map(sm -> sm.instructions().cache()).toList());
    }
    cache(all, "l1.", l1);
    cache(all, "l2.", memory.caches());
    put(all, "l2.", Counters.sum(memory.sliceCounters()));
    put(all, "memory.", Counters.of(memory));
    put(all, "dram.", Counters.sum(memory.dramCounters()));
    put(all, "requestNetwork.", Counters.of(memory.requestCounters()));
    put(all, "replyNetwork.", Counters.of(memory.replyCounters()));
    return all;
  }

  /** What was counted between two readings. */
  static Map<String, Number> difference(Map<String, Number> before, Map<String, Number> after) {
    Map<String, Number> difference = new LinkedHashMap<>();
    after.forEach(
        (name, value) -> {
          long earlier = before.isEmpty() ? 0 : before.get(name).longValue();
          difference.put(name, value.longValue() - earlier);
        });
    return difference;
  }

  private static void put(Map<String, Number> all, String prefix, Map<String, Number> counters) {
    counters.forEach((name, value) -> all.put(prefix + name, value));
  }

  private static void cache(Map<String, Number> all, String prefix, List<DataCache> caches) {
    long hits = sum(caches, Outcome.HIT);
    long pending = sum(caches, Outcome.HIT_RESERVED);
    long misses = sum(caches, Outcome.MISS) + sum(caches, Outcome.SECTOR_MISS);
    all.put(prefix + "accesses", hits + pending + misses);
    all.put(prefix + "hits", hits);
    all.put(prefix + "misses", misses);
    all.put(prefix + "pendingHits", pending);
    all.put(prefix + "reservationFails", sum(caches, Outcome.RESERVATION_FAIL));
    long data = 0;
    long fill = 0;
    for (DataCache cache : caches) {
      data += cache.dataPortBusyCycles();
      fill += cache.fillPortBusyCycles();
    }
    all.put(prefix + "dataPortBusyCycles", data);
    all.put(prefix + "fillPortBusyCycles", fill);
    for (AccessKind kind : AccessKind.values()) {
      for (int outcome = 0; outcome < Outcome.COUNT; outcome++) {
        long count = 0;
        for (DataCache cache : caches) {
          count += cache.count(kind, outcome);
        }
        all.put(prefix + kind + "." + Outcome.name(outcome), count);
      }
      for (int reason = 0; reason < Outcome.FAIL_COUNT; reason++) {
        long count = 0;
        for (DataCache cache : caches) {
          count += cache.failCount(kind, reason);
        }
        all.put(prefix + kind + "." + Outcome.failName(reason), count);
      }
    }
  }

  private static long sum(List<DataCache> caches, int outcome) {
    long sum = 0;
    for (DataCache cache : caches) {
      for (AccessKind kind : AccessKind.values()) {
        sum += cache.count(kind, outcome);
      }
    }
    return sum;
  }
}
