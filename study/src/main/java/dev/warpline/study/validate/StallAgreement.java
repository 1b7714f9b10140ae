package dev.warpline.study.validate;

import dev.warpline.engine.profile.StallReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Why warps wait, on the hardware and in the simulation: Nsight's warp states per issued
 * instruction, ours added up by Nsight's names.
 */
public final class StallAgreement {
  private static final String PREFIX = "smsp__average_warps_issue_stalled_";
  private static final String SUFFIX = "_per_issue_active.ratio";
  private static final String SELECTED = StallReason.SELECTED.nsight();

  private StallAgreement() {}

  /**
   * One kernel.
   *
   * @param workload its name
   * @param measured warps in each state per issue, on the hardware
   * @param simulated the same in the simulation
   */
  public record Row(String workload, Map<String, Double> measured, Map<String, Double> simulated) {
    /** Whether both name the same state as the most frequent one besides issuing. */
    public boolean sameTop() {
      return top(measured).equals(top(simulated));
    }
  }

  /**
   * Workloads in which some kernel's time does not add up to the lifetimes of its warps; none,
   * unless the simulator has a defect.
   */
  public static List<String> inexact(List<KernelComparison> comparisons) {
    return comparisons.stream()
        .filter(one -> one.ran() && !one.result().profile().discrepancies().isEmpty())
        .map(one -> one.hardware().workload())
        .distinct()
        .toList();
  }

  /** Says how many workloads' reasons add up exactly, and names the others. */
  public static String sums(List<KernelComparison> comparisons) {
    List<String> wrong = inexact(comparisons);
    long all =
        comparisons.stream()
            .filter(KernelComparison::ran)
            .map(one -> one.hardware().workload())
            .distinct()
            .count();
    return String.format(
        Locale.ROOT,
        "the reasons of every warp add up to its lifetime, by instruction, opcode, SM and over time,"
            + " in %d of %d workloads%s",
        all - wrong.size(),
        all,
        wrong.isEmpty() ? "" : "; not in " + String.join(", ", wrong));
  }

  /** The kernels that ran and whose hardware counters have warp states. */
  public static List<Row> of(List<KernelComparison> comparisons) {
    List<Row> rows = new ArrayList<>();
    for (KernelComparison one : comparisons) {
      if (!one.ran()) {
        continue;
      }
      Map<String, Double> measured = measured(one.hardware());
      if (!measured.isEmpty()) {
        rows.add(
            new Row(
                one.hardware().workload(), measured, simulated(one.result().profile().stalls())));
      }
    }
    return rows;
  }

  private static Map<String, Double> measured(HardwareTable.Row row) {
    Map<String, Double> states = new LinkedHashMap<>();
    for (String column : row.values().keySet()) {
      if (column.startsWith(PREFIX) && column.endsWith(SUFFIX)) {
        String state = column.substring(PREFIX.length(), column.length() - SUFFIX.length());
        row.number(column).ifPresent(value -> states.put(state, value));
      }
    }
    return states;
  }

  private static Map<String, Double> simulated(Map<StallReason, Long> stalls) {
    double issued = Math.max(1, stalls.getOrDefault(StallReason.SELECTED, 0L));
    Map<String, Double> states = new LinkedHashMap<>();
    stalls.forEach((reason, cycles) -> states.merge(reason.nsight(), cycles / issued, Double::sum));
    return states;
  }

  private static String top(Map<String, Double> states) {
    return states.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(SELECTED))
        .max(Comparator.comparingDouble(Map.Entry::getValue))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  /** The table as text: the first states of both, and how often the first one agrees. */
  public static List<String> text(List<Row> rows) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "%-20s %-4s %-62s %s", "workload", "top", "hardware, warps per issue", "simulated"));
    for (Row row : rows) {
      lines.add(
          String.format(
              "%-20s %-4s %-62s %s",
              row.workload(),
              row.sameTop() ? "same" : "",
              first(row.measured()),
              first(row.simulated())));
    }
    long same = rows.stream().filter(Row::sameTop).count();
    lines.add(
        String.format(
            Locale.ROOT,
            "the most frequent state agrees in %d of %d workloads (%.0f %%)",
            same,
            rows.size(),
            rows.isEmpty() ? 0 : 100.0 * same / rows.size()));
    return lines;
  }

  private static String first(Map<String, Double> states) {
    return states.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(SELECTED))
        .sorted(Comparator.comparingDouble(entry -> -entry.getValue()))
        .limit(3)
        .map(e -> String.format(Locale.ROOT, "%s %.2f", e.getKey(), e.getValue()))
        .reduce((a, b) -> a + ", " + b)
        .orElse("");
  }
}
