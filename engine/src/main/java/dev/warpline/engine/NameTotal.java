package dev.warpline.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All launches of one kernel name together.
 *
 * @param name as in the program
 * @param count launches
 * @param cycles of all of them
 * @param share of all kernels' cycles, 0 to 1
 * @param least cycles of the shortest
 * @param most cycles of the longest
 */
public record NameTotal(String name, int count, long cycles, double share, long least, long most) {

  /** Cycles of a launch on average. */
  public double mean() {
    return count == 0 ? 0 : (double) cycles / count;
  }

  /** The kernel names of a run, the one that takes longest first. */
  public static List<NameTotal> of(List<KernelResult> kernels) {
    Map<String, List<KernelResult>> byName = new LinkedHashMap<>();
    long all = 0;
    for (KernelResult kernel : kernels) {
      byName.computeIfAbsent(kernel.name(), name -> new ArrayList<>()).add(kernel);
      all += kernel.cycles();
    }
    List<NameTotal> totals = new ArrayList<>();
    for (Map.Entry<String, List<KernelResult>> entry : byName.entrySet()) {
      long sum = entry.getValue().stream().mapToLong(KernelResult::cycles).sum();
      totals.add(
          new NameTotal(
              entry.getKey(),
              entry.getValue().size(),
              sum,
              all == 0 ? 0 : (double) sum / all,
              entry.getValue().stream().mapToLong(KernelResult::cycles).min().orElse(0),
              entry.getValue().stream().mapToLong(KernelResult::cycles).max().orElse(0)));
    }
    totals.sort(Comparator.comparingLong(NameTotal::cycles).reversed());
    return totals;
  }
}
