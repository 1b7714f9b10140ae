package dev.warpline.study.validate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** A validation in words: a line per kernel, then how far off they are. */
public final class ValidationText {
  private ValidationText() {}

  /** Heads the lines. */
  public static String header() {
    return String.format(
        Locale.ROOT,
        "%-20s %10s %10s %8s  %8s %8s %8s %8s %8s %8s %9s",
        "workload",
        "hardware",
        "simulated",
        "error",
        "insts",
        "L1 sect",
        "L1 hits",
        "L2 sect",
        "DRAM rd",
        "SM act",
        "kinst/s");
  }

  /** One kernel. */
  public static String line(KernelComparison c) {
    String name = c.hardware().workload();
    if (c.hardware().kernelId() != 1) {
      name += "#" + c.hardware().kernelId();
    }
    if (!c.ran()) {
      return String.format(
          Locale.ROOT, "%-20s %10.0f  failed: %s", name, c.hardwareCycles(), c.failure());
    }
    return String.format(
        Locale.ROOT,
        "%-20s %10.0f %10d %+7.1f%%  %8s %8s %8s %8s %8s %8s %9.0f",
        name,
        c.hardwareCycles(),
        c.result().cycles(),
        c.errorPercent(),
        percent(c, "instructions"),
        percent(c, "L1 sectors"),
        percent(c, "L1 hits"),
        percent(c, "L2 sectors"),
        percent(c, "DRAM read bytes"),
        percent(c, "SM active"),
        c.result().warpInstructions() / c.seconds() / 1000);
  }

  private static String percent(KernelComparison c, String metric) {
    OptionalDouble error = error(c, named(metric));
    return error.isEmpty() ? "-" : String.format(Locale.ROOT, "%+.1f%%", error.getAsDouble());
  }

  private static Metric named(String name) {
    return Metric.ALL.stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * A metric's error in percent; empty where one of the two did not count it or the hardware found
   * none.
   */
  static OptionalDouble error(KernelComparison c, Metric metric) {
    OptionalDouble measured = c.hardware().number(metric.column());
    if (!c.ran() || measured.isEmpty() || measured.getAsDouble() == 0) {
      return OptionalDouble.empty();
    }
    double simulated = metric.simulated().applyAsDouble(c.result());
    if (Double.isNaN(simulated)) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(100 * (simulated - measured.getAsDouble()) / measured.getAsDouble());
  }

  /** The figures at the end. */
  public static List<String> summary(List<KernelComparison> all) {
    Summary s = Summary.of(all);
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%d kernels: mean absolute error %.2f %%, median %.2f %%, 90th percentile %.2f %%,"
                + " largest %.2f %%; correlation %.4f, of ranks %.4f",
            s.count(),
            s.mape(),
            s.median(),
            s.p90(),
            s.max(),
            s.correlation(),
            s.rankCorrelation()));
    for (Metric metric : Metric.ALL) {
      double[] errors =
          all.stream()
              .map(c -> error(c, metric))
              .filter(OptionalDouble::isPresent)
              .mapToDouble(e -> Math.abs(e.getAsDouble()))
              .sorted()
              .toArray();
      if (errors.length > 0) {
        lines.add(
            String.format(
                Locale.ROOT,
                "  %-18s absolute error: median %7.2f %%, mean %8.2f %%, largest %9.1f %% (%d"
                    + " kernels)",
                metric.name(),
                Summary.quantile(errors, 0.5),
                Arrays.stream(errors).average().orElse(0),
                errors[errors.length - 1],
                errors.length));
      }
    }
    long failed = all.stream().filter(c -> !c.ran()).count();
    if (failed > 0) {
      lines.add(failed + " kernels failed");
    }
    return lines;
  }
}
