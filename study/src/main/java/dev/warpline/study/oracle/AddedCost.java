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
 * What it costs to ask for more, such as a profile or joules: workloads without and with it, in
 * turns, so that a machine that gets slower meanwhile slows down both.
 */
public final class AddedCost {
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

  /** How workloads are run. */
  public record Way(Machines machines, RunOptions options) {}

  private final String what;
  private final Way without;
  private final Way with;
  private final int repeat;
  private final double leastSeconds;
  private final List<Row> rows = new ArrayList<>();

  /**
   * @param what is asked for, e.g. "recording"
   * @param repeat pairs of measurements, without and with; the median of their ratios counts
   */
  public AddedCost(String what, Way without, Way with, int repeat) {
    this(what, without, with, repeat, LEAST_SECONDS);
  }

  /**
   * @param leastSeconds short runs are repeated until they take this long
   */
  AddedCost(String what, Way without, Way with, int repeat, double leastSeconds) {
    this.what = what;
    this.without = without;
    this.with = with;
    this.repeat = Math.max(1, repeat);
    this.leastSeconds = leastSeconds;
  }

  /** What a profile costs on some machines. */
  public static AddedCost ofRecording(Machines machines, int repeat) {
    return ofRecording(machines, repeat, LEAST_SECONDS);
  }

  static AddedCost ofRecording(Machines machines, int repeat, double leastSeconds) {
    RunOptions profiled = RunOptions.DEFAULT.withProfile(ProfileOptions.NO_TIMELINE);
    return new AddedCost(
        "recording",
        new Way(machines, RunOptions.DEFAULT),
        new Way(machines, profiled),
        repeat,
        leastSeconds);
  }

  public static String header() {
    return String.format(
        "%-18s %12s %12s %12s %10s", "workload", "warp inst", "off, CPU s", "on, CPU s", "median");
  }

  /** Measures a workload and says what came out. */
  public String measure(Path trace, String name) throws IOException {
    Workload once = Workload.run(with.machines().create(), trace, name, with.options());
    int runs = (int) Math.max(1, Math.ceil(leastSeconds / once.cpuSeconds()));
    seconds(trace, name, without, 1);
    double off = Double.MAX_VALUE;
    double on = Double.MAX_VALUE;
    double[] ratios = new double[repeat];
    for (int i = 0; i < repeat; i++) {
      double less = seconds(trace, name, without, runs);
      double more = seconds(trace, name, with, runs);
      off = Math.min(off, less);
      on = Math.min(on, more);
      ratios[i] = more / less;
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

  private static double seconds(Path trace, String name, Way way, int runs) throws IOException {
    long began = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < runs; i++) {
      Workload.run(way.machines().create(), trace, name, way.options());
    }
    return (THREADS.getCurrentThreadCpuTime() - began) * 1e-9 / runs;
  }

  /** Mean and largest cost. */
  public String summary() {
    double mean = rows.stream().mapToDouble(Row::percent).average().orElse(0);
    Row most = rows.stream().max(Comparator.comparingDouble(Row::percent)).orElseThrow();
    return String.format(
        Locale.ROOT,
        "%s costs %.1f %% on average over %d workloads, %.1f %% at most (%s)",
        what,
        mean,
        rows.size(),
        most.percent(),
        most.name());
  }
}
