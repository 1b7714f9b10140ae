package dev.warpline.study.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How fast workloads were simulated, and how much faster than another simulator. */
public final class SpeedTable {
  private final List<Double> ratios = new ArrayList<>();
  private final List<Double> gains = new ArrayList<>();
  private double slowest = Double.MAX_VALUE;
  private String slowestName = "";
  private double highestPeak;

  public static String header() {
    return String.format(
        "%-18s %12s %9s %9s %12s %9s %8s %9s",
        "workload", "warp inst", "wall s", "CPU s", "inst/CPU s", "x oracle", "MB", "x threads");
  }

  /**
   * One workload's line.
   *
   * @param oracleRate the other simulator's warp instructions per CPU second, NaN if unknown
   * @param threaded the same workload on several threads, or null
   */
  public String line(Workload run, double oracleRate, Workload threaded) {
    double rate = run.warpInstructions() / run.cpuSeconds();
    double ratio = rate / oracleRate;
    if (!Double.isNaN(ratio)) {
      ratios.add(ratio);
      if (ratio < slowest) {
        slowest = ratio;
        slowestName = run.name();
      }
    }
    double gain = threaded == null ? Double.NaN : run.wallSeconds() / threaded.wallSeconds();
    if (threaded != null) {
      gains.add(gain);
    }
    double peak = run.peakBytes() / 1e6;
    highestPeak = Math.max(highestPeak, peak);
    return String.format(
        Locale.ROOT,
        "%-18s %12d %9.3f %9.3f %12.0f %9s %8.0f %9s",
        run.name(),
        run.warpInstructions(),
        run.wallSeconds(),
        run.cpuSeconds(),
        rate,
        Double.isNaN(ratio) ? "-" : String.format(Locale.ROOT, "%.1f", ratio),
        peak,
        threaded == null ? "-" : String.format(Locale.ROOT, "%.2f", gain));
  }

  public List<String> summary() {
    List<String> lines = new ArrayList<>();
    if (!ratios.isEmpty()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "geometric mean %.1f x the oracle's rate over %d workloads; least %.1f x (%s)",
              geometricMean(ratios),
              ratios.size(),
              slowest,
              slowestName));
    }
    if (!gains.isEmpty()) {
      lines.add(
          String.format(
              Locale.ROOT, "threads: geometric mean %.2f x in wall time", geometricMean(gains)));
    }
    lines.add(String.format(Locale.ROOT, "most heap seen in use %.0f MB", highestPeak));
    return lines;
  }

  private static double geometricMean(List<Double> values) {
    return Math.exp(values.stream().mapToDouble(Math::log).average().orElse(0));
  }
}
