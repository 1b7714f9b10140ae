package dev.warpline.study.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** How far simulated workloads are from another simulator's results. */
public final class OracleComparison {
  /**
   * What is compared.
   *
   * @param column in the oracle's table
   * @param label short name
   * @param tolerance error in percent that counts as close
   */
  private record Metric(
      String column, String label, double tolerance, ToLongFunction<Workload> value) {}

  private static final List<Metric> METRICS =
      List.of(
          new Metric("cycles", "cycles", 10, Workload::cycles),
          new Metric("warp_instructions", "warp inst", 0, Workload::warpInstructions),
          new Metric("thread_instructions", "thread inst", 0, Workload::threadInstructions),
          new Metric("l1d_accesses", "L1 acc", 2, w -> w.statistic("l1.accesses")),
          new Metric("l1d_misses", "L1 miss", 10, w -> w.statistic("l1.misses")),
          new Metric("l2_accesses", "L2 acc", 2, w -> w.statistic("l2.accesses")),
          new Metric("l2_misses", "L2 miss", 10, w -> w.statistic("l2.misses")),
          new Metric("dram_reads", "DRAM rd", 10, w -> w.statistic("dram.readBursts")),
          new Metric("dram_writes", "DRAM wr", 10, w -> w.statistic("dram.writeBursts")),
          new Metric(
              "shmem_bank_conflicts",
              "bank confl",
              2,
              w -> w.statistic("loadStore.sharedBankConflicts")));

  private final List<double[]> errors = new ArrayList<>();

  /** The first line of the table. */
  public static String header() {
    StringBuilder line =
        new StringBuilder(String.format("%-18s %10s %10s", "workload", "theirs", "ours"));
    METRICS.forEach(m -> line.append(String.format(" %11s", m.label())));
    return line.toString();
  }

  /** One workload's line: cycles of both, then the error of every metric in percent. */
  public String line(OracleTable.Row oracle, Workload ours) {
    double[] error = new double[METRICS.size()];
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%-18s %10.0f %10d",
                ours.name(),
                oracle.get("cycles"),
                ours.cycles()));
    for (int i = 0; i < error.length; i++) {
      Metric metric = METRICS.get(i);
      double expected = oracle.get(metric.column());
      long found = metric.value().applyAsLong(ours);
      error[i] = found == expected ? 0 : 100 * (found - expected) / Math.max(1, expected);
      line.append(
          Double.isNaN(error[i])
              ? String.format(" %11s", "-")
              : String.format(Locale.ROOT, " %+10.2f%%", error[i]));
    }
    errors.add(error);
    return line.toString();
  }

  /** For every metric how many workloads are close, the mean and the largest error. */
  public List<String> summary() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < METRICS.size(); i++) {
      Metric metric = METRICS.get(i);
      int n = 0;
      int close = 0;
      double sum = 0;
      double worst = 0;
      for (double[] error : errors) {
        if (!Double.isNaN(error[i])) {
          double size = Math.abs(error[i]);
          n++;
          close += size <= metric.tolerance() ? 1 : 0;
          sum += size;
          worst = Math.max(worst, size);
        }
      }
      lines.add(
          String.format(
              Locale.ROOT,
              "%-12s within %2.0f %%: %d of %d; mean error %.2f %%, largest %.2f %%",
              metric.label(),
              metric.tolerance(),
              close,
              n,
              n == 0 ? 0 : sum / n,
              worst));
    }
    return lines;
  }

  /** Whether every metric of every workload is within its tolerance. */
  public boolean allClose() {
    for (double[] error : errors) {
      for (int i = 0; i < error.length; i++) {
        if (Math.abs(error[i]) > METRICS.get(i).tolerance()) {
          return false;
        }
      }
    }
    return true;
  }
}
