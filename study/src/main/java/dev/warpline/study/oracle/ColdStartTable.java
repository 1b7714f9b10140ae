package dev.warpline.study.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What workloads cost from the start of a process to its end, beside another simulator. */
public final class ColdStartTable {
  private record Line(String name, ColdStart start, double byWall, double byCpu) {}

  private final List<Line> lines = new ArrayList<>();

  public static String header() {
    return String.format(
        Locale.ROOT,
        "%-18s %9s %9s %9s %12s %12s",
        "workload",
        "wall s",
        "CPU s",
        "peak MB",
        "x by wall",
        "x by CPU");
  }

  /**
   * One workload's line.
   *
   * @param oracleSeconds the other simulator's processor time, NaN if unknown
   */
  public String line(String name, ColdStart start, double oracleSeconds) {
    Line line =
        new Line(
            name, start, oracleSeconds / start.wallSeconds(), oracleSeconds / start.cpuSeconds());
    lines.add(line);
    return String.format(
        Locale.ROOT,
        "%-18s %9.3f %9s %9s %12s %12s",
        name,
        start.wallSeconds(),
        number(start.cpuSeconds(), "%.2f"),
        number(start.peakMegabytes(), "%.0f"),
        number(line.byWall, "%.1f"),
        number(line.byCpu, "%.1f"));
  }

  public List<String> summary() {
    List<String> words = new ArrayList<>();
    add("wall time", lines.stream().map(Line::byWall).toList(), words);
    add("processor time", lines.stream().map(Line::byCpu).toList(), words);
    lines.stream()
        .mapToDouble(line -> line.start.peakMegabytes())
        .filter(peak -> !Double.isNaN(peak))
        .max()
        .ifPresent(peak -> words.add(String.format(Locale.ROOT, "most memory %.0f MB", peak)));
    return words;
  }

  private void add(String clock, List<Double> ratios, List<String> words) {
    if (ratios.stream().anyMatch(ratio -> ratio.isNaN())) {
      return;
    }
    double mean =
        Math.exp(ratios.stream().mapToDouble(ratio -> Math.log(ratio)).average().orElse(0));
    int least = 0;
    for (int i = 1; i < ratios.size(); i++) {
      least = ratios.get(i) < ratios.get(least) ? i : least;
    }
    words.add(
        String.format(
            Locale.ROOT,
            "by %s: geometric mean %.1f x the oracle over %d workloads; least %.1f x (%s)",
            clock,
            mean,
            ratios.size(),
            ratios.get(least),
            lines.get(least).name));
  }

  private static String number(double value, String format) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
  }
}
