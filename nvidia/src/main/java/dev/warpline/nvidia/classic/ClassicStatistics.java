package dev.warpline.nvidia.classic;

import dev.warpline.engine.Counters;
import dev.warpline.memory.AccessKind;
import dev.warpline.memory.cache.CacheOutcome;
import dev.warpline.memory.cache.DataCache;
import dev.warpline.memory.detailed.MemorySide;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the machine has counted, by dotted name, in a fixed order. */
final class ClassicStatistics {
  private final Counters counters = new Counters();
  private final List<DataCache> l1 = new ArrayList<>();
  private final List<DataCache> l1i = new ArrayList<>();
  private final List<DataCache> l2;

  ClassicStatistics(List<ClassicSm> sms, MemorySide memory) {
    for (ClassicSm sm : sms) {
      counters.addAll(sm.counters());
      l1.add(sm.l1());
      if (sm.instructions() != null) {
        l1i.add(sm.instructions().cache());
      }
    }
    counters.addAll(memory.counters());
    l2 = memory.caches();
  }

  /** Who counts. */
  Counters counters() {
    return counters;
  }

  /** All counters since the start. */
  Map<String, Number> read() {
    Map<String, Number> all = counters.read();
    if (!l1i.isEmpty()) {
      cache(all, "l1i.", l1i);
    }
    cache(all, "l1.", l1);
    cache(all, "l2.", l2);
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

  private static void cache(Map<String, Number> all, String prefix, List<DataCache> caches) {
    long hits = sum(caches, CacheOutcome.HIT);
    long pending = sum(caches, CacheOutcome.HIT_RESERVED);
    long misses = sum(caches, CacheOutcome.MISS) + sum(caches, CacheOutcome.SECTOR_MISS);
    all.put(prefix + "accesses", hits + pending + misses);
    all.put(prefix + "hits", hits);
    all.put(prefix + "misses", misses);
    all.put(prefix + "pendingHits", pending);
    all.put(prefix + "reservationFails", sum(caches, CacheOutcome.RESERVATION_FAIL));
    long data = 0;
    long fill = 0;
    for (DataCache cache : caches) {
      data += cache.dataPortBusyCycles();
      fill += cache.fillPortBusyCycles();
    }
    all.put(prefix + "dataPortBusyCycles", data);
    all.put(prefix + "fillPortBusyCycles", fill);
    for (AccessKind kind : AccessKind.values()) {
      for (int outcome = 0; outcome < CacheOutcome.COUNT; outcome++) {
        long count = 0;
        for (DataCache cache : caches) {
          count += cache.count(kind, outcome);
        }
        all.put(prefix + kind + "." + CacheOutcome.name(outcome), count);
      }
      for (int reason = 0; reason < CacheOutcome.FAIL_COUNT; reason++) {
        long count = 0;
        for (DataCache cache : caches) {
          count += cache.failCount(kind, reason);
        }
        all.put(prefix + kind + "." + CacheOutcome.failName(reason), count);
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
