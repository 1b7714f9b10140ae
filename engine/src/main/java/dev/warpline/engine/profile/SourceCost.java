package dev.warpline.engine.profile;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a line of source costs: its instructions added up.
 *
 * @param file null where only the line is known
 * @param line its number
 * @param instructions static instructions
 * @param executed warp instructions
 * @param sectors 32-byte sectors asked of L1
 * @param stalls warp-cycles by reason
 */
public record SourceCost(
    String file,
    int line,
    int instructions,
    long executed,
    long sectors,
    Map<StallReason, Long> stalls) {
  private record Place(String file, int line) {}

  /** The lines of a kernel, the most expensive first; empty without line information. */
  public static List<SourceCost> of(KernelProfile profile) {
    Map<Place, SourceCost> costs = new LinkedHashMap<>();
    for (KernelProfile.Line line : profile.lines()) {
      if (line.source() != null) {
        Place place = new Place(line.source().file(), line.source().line());
        costs.merge(place, of(line), SourceCost::plus);
      }
    }
    return costs.values().stream()
        .sorted(Comparator.comparingLong(cost -> -cost.warpCycles()))
        .toList();
  }

  private static SourceCost of(KernelProfile.Line line) {
    return new SourceCost(
        line.source().file(),
        line.source().line(),
        1,
        line.executed(),
        line.sectors(),
        line.stalls());
  }

  private SourceCost plus(SourceCost other) {
    Map<StallReason, Long> sums = new EnumMap<>(StallReason.class);
    sums.putAll(stalls);
    other.stalls.forEach((reason, cycles) -> sums.merge(reason, cycles, Long::sum));
    return new SourceCost(
        file,
        line,
        instructions + other.instructions,
        executed + other.executed,
        sectors + other.sectors,
        sums);
  }

  /** Warp-cycles spent at the line. */
  public long warpCycles() {
    return stalls.values().stream().mapToLong(Long::longValue).sum();
  }

  /** What its warps did most besides issuing; null if they only issued. */
  public StallReason mostly() {
    return stalls.entrySet().stream()
        .filter(entry -> entry.getKey() != StallReason.SELECTED && entry.getValue() > 0)
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(null);
  }
}
