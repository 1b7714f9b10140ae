package dev.warpline.amd.hsa;

import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelProfile.Line;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What is known of one kernel alone where several ran at a time: what its own waves wrote down
 * replaces the counters that hold all.
 */
final class OwnCounters {
  private static final int WAVE = 64;

  private OwnCounters() {}

  static void put(KernelProfile own, Map<String, Number> statistics, Map<String, Long> stalls) {
    List<Line> lines = own.lines();
    statistics.put("cu.instructions", sum(lines, Line::executed));
    statistics.put("cu.laneInstructions", sum(lines, OwnCounters::lanes));
    statistics.put("cu.wavesCompleted", sumOfUnits(own, KernelProfile.Sm::warps));
    statistics.put(
        "cu.groupsCompleted",
        sumOfUnits(own, KernelProfile.Sm::warps) / Math.max(1, own.launch().warpsPerBlock()));
    statistics.put("cu.waveCycles", sumOfUnits(own, KernelProfile.Sm::warpCycles));
    statistics.put("cu.activeCycles", sumOfUnits(own, KernelProfile.Sm::activeCycles));
    statistics.put("kernel.tcpSectors", sum(lines, Line::sectors));
    statistics.put("kernel.tcpSectorHits", sum(lines, Line::l1Hits));
    statistics.put("kernel.tccSectors", sum(lines, Line::l2Hits));
    statistics.put("kernel.memorySectors", sum(lines, Line::dramSectors));
    statistics.put("kernel.ldsConflicts", sum(lines, Line::conflicts));
    stalls.clear();
    own.stalls()
        .forEach(
            (reason, cycles) -> {
              if (cycles != 0) {
                stalls.put(reason.key(), cycles);
              }
            });
  }

  /** A scalar instruction counts for all lanes of its wave. */
  private static long lanes(Line line) {
    return line.text().startsWith("s_") ? WAVE * line.executed() : line.lanes();
  }

  private static long sum(List<Line> lines, ToLongFunction<Line> column) {
    return lines.stream().mapToLong(column).sum();
  }

  private static long sumOfUnits(KernelProfile own, ToLongFunction<KernelProfile.Sm> column) {
    return own.sms().stream().mapToLong(column).sum();
  }
}
