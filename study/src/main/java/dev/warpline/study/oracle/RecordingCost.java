package dev.warpline.study.oracle;

import dev.warpline.engine.RunOptions;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.nvidia.Machine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What it costs to record where the time goes: workloads with and without a profile, in turns, so
 * that a machine that gets slower meanwhile slows down both.
 */
public final class RecordingCost {
  /** Makes a machine for one run. */
  @FunctionalInterface
  public interface Machines {
    Machine create() throws IOException;
  }

  /** Only the simulating thread counts: the compiler of the virtual machine works beside it. */
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Short runs are repeated until they take this long. */
  private static final double LEAST_SECONDS = 0.6;

  /** A workload and the median cost of its pairs of runs, in percent. */
  private record Row(String name, double percent) {}

  private final Machines machines;
  private final int repeat;
  private final double leastSeconds;
  private final List<Row> rows = new ArrayList<>();

  /**
   * @param machines makes the machine of each run
   * @param repeat pairs of measurements, without and with; the median of their ratios counts
   */
  public RecordingCost(Machines machines, int repeat) {
    this(machines, repeat, LEAST_SECONDS);
  }

  /**
   * @param leastSeconds short runs are repeated until they take this long
   */
  RecordingCost(Machines machines, int repeat, double leastSeconds) {
    this.machines = machines;
    this.repeat = Math.max(1, repeat);
    this.leastSeconds = leastSeconds;
  }

  public static String header() {
    return String.format(
        "%-18s %12s %12s %12s %10s", "workload", "warp inst", "off, CPU s", "on, CPU s", "median");
  }

  /** Measures a workload and says what came out. */
  public String measure(Path trace, String name) throws IOException {
    RunOptions plain = RunOptions.DEFAULT;
    RunOptions profiled = plain.withProfile(ProfileOptions.NO_TIMELINE);
    Workload once = Workload.run(machines.create(), trace, name, profiled);
    int runs = (int) Math.max(1, Math.ceil(leastSeconds / once.cpuSeconds()));
    seconds(trace, name, plain, 1);
    double off = Double.MAX_VALUE;
    double on = Double.MAX_VALUE;
    double[] ratios = new double[repeat];
    for (int i = 0; i < repeat; i++) {
      double without = seconds(trace, name, plain, runs);
      double with = seconds(trace, name, profiled, runs);
      off = Math.min(off, without);
      on = Math.min(on, with);
      ratios[i] = with / without;
    }
    Arrays.sort(ratios);
    double median = (ratios[(repeat - 1) / 2] + ratios[repeat / 2]) / 2;
    Row row = new Row(name, 100 * (median - 1));
    rows.add(row);
    return String.format(
        Locale.ROOT,
        "%-18s %12d %12.4f %12.4f %+9.1f%%",
        name,
        once.warpInstructions(),
        off,
        on,
        row.percent());
  }

  private double seconds(Path trace, String name, RunOptions options, int runs) throws IOException {
    long began = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < runs; i++) {
      Workload.run(machines.create(), trace, name, options);
    }
    return (THREADS.getCurrentThreadCpuTime() - began) * 1e-9 / runs;
  }

  /** Mean and largest cost. */
  public String summary() {
    double mean = rows.stream().mapToDouble(Row::percent).average().orElse(0);
    Row most = rows.stream().max(Comparator.comparingDouble(Row::percent)).orElseThrow();
    return String.format(
        Locale.ROOT,
        "recording costs %.1f %% on average over %d workloads, %.1f %% at most (%s)",
        mean,
        rows.size(),
        most.percent(),
        most.name());
  }
}
