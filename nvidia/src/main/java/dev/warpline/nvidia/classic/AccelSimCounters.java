package dev.warpline.nvidia.classic;

import dev.warpline.engine.KernelResult;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A kernel's counters under the classic core's names, whichever core counted them. A counter that a
 * core does not have, or that would not mean the same, is absent.
 */
final class AccelSimCounters {
  private static final int SECTOR_BYTES = 32;

  private AccelSimCounters() {}

  static Map<String, Long> of(KernelResult kernel, String core) {
    Map<String, Long> counted = new LinkedHashMap<>();
    kernel.statistics().forEach((name, n) -> counted.put(name, n.longValue()));
    return switch (core) {
      case "classic" -> classic(counted);
      case "modern" -> modern(kernel, counted);
      default -> basics(kernel, new LinkedHashMap<>());
    };
  }

  /** Where fetches always hit there is no instruction cache, and Accel-Sim counts nothing. */
  private static Map<String, Long> classic(Map<String, Long> counted) {
    for (String name : new String[] {"accesses", "misses", "pendingHits", "reservationFails"}) {
      counted.putIfAbsent("l1i." + name, 0L);
    }
    return counted;
  }

  private static Map<String, Long> basics(KernelResult kernel, Map<String, Long> into) {
    into.put("sm.warpInstructions", kernel.warpInstructions());
    into.put("sm.threadInstructions", kernel.threadInstructions());
    return into;
  }

  private static Map<String, Long> modern(KernelResult kernel, Map<String, Long> m) {
    Map<String, Long> into = basics(kernel, new LinkedHashMap<>());
    for (String same : new String[] {"sm.activeCycles", "launch.blocks", "launch.stream"}) {
      if (m.containsKey(same)) {
        into.put(same, m.get(same));
      }
    }
    into.put("loadStore.sharedBankConflicts", m.get("l1.sharedConflicts"));
    long pending = m.get("l1.globalLoadsPending");
    into.put("l1.GLOBAL_ACC_R.HIT", m.get("l1.globalLoadHits") - pending);
    into.put("l1.GLOBAL_ACC_R.HIT_RESERVED", pending);
    into.put("l1.GLOBAL_ACC_R.MSHR_HIT", pending);
    into.put("l1.GLOBAL_ACC_R.TOTAL_ACCESS", m.get("l1.globalLoadSectors"));
    into.put("l1.LOCAL_ACC_R.TOTAL_ACCESS", m.get("l1.localLoadSectors"));
    into.put("l1.GLOBAL_ACC_W.TOTAL_ACCESS", m.get("l1.globalStoreSectors"));
    long reads = m.get("l2.smReadSectors");
    long writes = m.get("l2.smWriteSectors");
    long atomics = m.get("l2.smAtomicSectors");
    long localReads = m.get("l1.localLoadSectors") - m.get("l1.localLoadHits");
    into.put("l2.accesses", reads + writes + atomics);
    into.put("replyNetwork.sectors", reads + writes + atomics);
    into.put("l2.GLOBAL_ACC_R.TOTAL_ACCESS", reads - localReads + atomics);
    into.put("l2.LOCAL_ACC_R.TOTAL_ACCESS", localReads);
    if (atomics == 0 && localReads == 0) {
      into.put("l2.GLOBAL_ACC_R.HIT", m.get("l2.smReadHits"));
    }
    if (m.get("l1.localLoadSectors") == 0) {
      into.put("l2.GLOBAL_ACC_W.TOTAL_ACCESS", writes);
    }
    into.put("dram.readBursts", m.get("dram.bytesRead") / SECTOR_BYTES);
    into.put("dram.writeBursts", m.get("dram.bytesWritten") / SECTOR_BYTES);
    return into;
  }
}
