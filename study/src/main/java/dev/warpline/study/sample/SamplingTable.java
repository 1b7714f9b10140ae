package dev.warpline.study.sample;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.Sampling;
import dev.warpline.nvidia.Machine;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Kernels simulated in full and sampled: how far the estimate is off, and what it saves. */
public final class SamplingTable {
  /** Makes a machine for one run. */
  @FunctionalInterface
  public interface Machines {
    Machine create() throws IOException;
  }

  /** Only the simulating thread counts, so that what else the computer does matters little. */
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Machines machines;
  private final RunOptions sampled;
  private final long least;
  private final List<Row> rows = new ArrayList<>();

  /**
   * A kernel.
   *
   * @param fullSeconds of the simulating thread
   */
  record Row(
      String name, KernelResult full, KernelResult sampled, double fullSeconds, double seconds) {
    double error() {
      return (double) sampled.cycles() / full.cycles() - 1;
    }

    double plusMinus() {
      return sampled.sampling() == null ? 0 : sampled.sampling().plusMinus();
    }

    /** Whether what is so is in the interval. */
    boolean held() {
      Sampling sampling = sampled.sampling();
      return sampling == null
          ? full.cycles() == sampled.cycles()
          : full.cycles() >= sampling.low(sampled.cycles())
              && full.cycles() <= sampling.high(sampled.cycles());
    }
  }

  /**
   * @param error asked for, relative
   * @param least warp instructions of kernels that are listed
   */
  public SamplingTable(Machines machines, double error, long least) {
    this.machines = machines;
    this.sampled = RunOptions.DEFAULT.withSample(error);
    this.least = least;
  }

  public static String header() {
    return String.format(
        "%-24s %12s %10s %10s %8s %8s %5s %7s %7s %9s  %s",
        "kernel",
        "warp inst",
        "cycles",
        "estimate",
        "error",
        "+-",
        "held",
        "work",
        "time",
        "seconds",
        "how");
  }

  /** Simulates a program in full and sampled; a line for each of its large kernels. */
  public List<String> measure(Path trace, String name) throws IOException {
    Timed full = run(trace, RunOptions.DEFAULT);
    List<String> lines = new ArrayList<>();
    if (full.kernels.stream().noneMatch(kernel -> kernel.warpInstructions() >= least)) {
      return lines;
    }
    Timed estimate = run(trace, sampled);
    for (int i = 0; i < full.kernels.size(); i++) {
      KernelResult kernel = full.kernels.get(i);
      if (kernel.warpInstructions() >= least) {
        Row row =
            new Row(
                full.kernels.size() == 1 ? name : name + " " + kernel.id(),
                kernel,
                estimate.kernels.get(i),
                full.seconds.get(i),
                estimate.seconds.get(i));
        rows.add(row);
        lines.add(line(row));
      }
    }
    return lines;
  }

  private Timed run(Path trace, RunOptions options) throws IOException {
    try (TraceSet program = Traces.open(trace)) {
      Timed timed = new Timed();
      machines.create().run(program, options, timed);
      return timed;
    }
  }

  /** Takes the time of each kernel. */
  private static final class Timed implements Progress {
    private final List<KernelResult> kernels = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();
    private long started;

    @Override
    public void kernelStarted(int id, String name, long blocks) {
      started = THREADS.getCurrentThreadCpuTime();
    }

    @Override
    public void kernelFinished(KernelResult result) {
      kernels.add(result);
      seconds.add((THREADS.getCurrentThreadCpuTime() - started) * 1e-9);
    }
  }

  private static String line(Row row) {
    return String.format(
        Locale.ROOT,
        "%-24s %12d %10d %10d %+7.2f%% %7.2f%% %5s %6.1fx %6.1fx %9.2f  %s",
        row.name,
        row.full.warpInstructions(),
        row.full.cycles(),
        row.sampled.cycles(),
        100 * row.error(),
        100 * row.plusMinus(),
        row.held() ? "yes" : "no",
        (double) row.full.warpInstructions() / row.sampled.simulatedInstructions(),
        row.fullSeconds / row.seconds,
        row.fullSeconds,
        row.sampled.sampling() == null ? "in full" : row.sampled.sampling().how());
  }

  /** Over all kernels so far. */
  public String summary() {
    long all = rows.stream().mapToLong(row -> row.full.warpInstructions()).sum();
    long work = rows.stream().mapToLong(row -> row.sampled.simulatedInstructions()).sum();
    double fullSeconds = rows.stream().mapToDouble(Row::fullSeconds).sum();
    double seconds = rows.stream().mapToDouble(Row::seconds).sum();
    return String.format(
        Locale.ROOT,
        "%d kernels: error %.2f %% on average, %.2f %% at most; interval held in %d; %.1f times less"
            + " work (geometric mean %.1f), %.1f times less time (geometric mean %.1f)",
        rows.size(),
        100 * rows.stream().mapToDouble(row -> Math.abs(row.error())).average().orElse(0),
        100 * rows.stream().mapToDouble(row -> Math.abs(row.error())).max().orElse(0),
        rows.stream().filter(Row::held).count(),
        (double) all / work,
        mean(
            rows.stream()
                .mapToDouble(
                    r -> (double) r.full.warpInstructions() / r.sampled.simulatedInstructions())
                .toArray()),
        fullSeconds / seconds,
        mean(rows.stream().mapToDouble(r -> r.fullSeconds / r.seconds).toArray()));
  }

  private static double mean(double[] ratios) {
    double sum = 0;
    for (double ratio : ratios) {
      sum += Math.log(ratio);
    }
    return Math.exp(sum / Math.max(1, ratios.length));
  }
}
