package dev.warpline.study.sample;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.Sampling;
import dev.warpline.nvidia.Machine;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Kernels simulated in full and sampled: how far the estimate is off, and what it saves. */
public final class SamplingTable {
  /** Makes a machine for one run. */
  @FunctionalInterface
  public interface Machines {
    Machine create() throws IOException;
  }

  /** Only the simulating thread counts, so that what else the computer does matters little. */
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Launches from which on a program is measured as a whole. */
  private static final int MANY = 100;

  private final Machines machines;
  private final RunOptions sampled;
  private final long least;
  private final List<Row> rows = new ArrayList<>();

  /**
   * A kernel, or a program of many launches.
   *
   * @param sampling null if all of it was simulated
   * @param fullSeconds of the simulating thread
   */
  record Row(
      String name,
      long instructions,
      long fullCycles,
      long cycles,
      Sampling sampling,
      double fullSeconds,
      double seconds) {
    double error() {
      return (double) cycles / fullCycles - 1;
    }

    double plusMinus() {
      return sampling == null ? 0 : sampling.plusMinus();
    }

    long work() {
      return sampling == null ? instructions : sampling.simulatedInstructions();
    }

    /** Whether what is so is in the interval. */
    boolean held() {
      return sampling == null
          ? fullCycles == cycles
          : fullCycles >= sampling.low(cycles) && fullCycles <= sampling.high(cycles);
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
        "kernel (launches)",
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

  /**
   * Simulates a program in full and sampled; a line for each of its large kernels, or for a program
   * of many launches one.
   */
  public List<String> measure(Path trace, String name) throws IOException {
    List<String> lines = new ArrayList<>();
    try (TraceSet program = Traces.open(trace)) {
      long launches =
          program.commands().stream().filter(TraceCommand.Launch.class::isInstance).count();
      if (launches >= MANY) {
        Row row = whole(program, name + " (" + launches + ")");
        rows.add(row);
        lines.add(line(row));
        return lines;
      }
    }
    Timed full = run(trace, RunOptions.DEFAULT);
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
                kernel.warpInstructions(),
                kernel.cycles(),
                estimate.kernels.get(i).cycles(),
                estimate.kernels.get(i).sampling(),
                full.seconds.get(i),
                estimate.seconds.get(i));
        rows.add(row);
        lines.add(line(row));
      }
    }
    return lines;
  }

  private Row whole(TraceSet program, String name) throws IOException {
    long start = THREADS.getCurrentThreadCpuTime();
    RunResult full = machines.create().run(program, RunOptions.DEFAULT, Progress.NONE);
    long middle = THREADS.getCurrentThreadCpuTime();
    RunResult estimate = SampledRun.of(machines.create(), false, program, sampled, Progress.NONE);
    long end = THREADS.getCurrentThreadCpuTime();
    return new Row(
        name,
        full.kernels().stream().mapToLong(KernelResult::warpInstructions).sum(),
        full.cycles(),
        estimate.cycles(),
        estimate.sampling(),
        (middle - start) * 1e-9,
        (end - middle) * 1e-9);
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
        row.instructions,
        row.fullCycles,
        row.cycles,
        100 * row.error(),
        100 * row.plusMinus(),
        row.held() ? "yes" : "no",
        (double) row.instructions / row.work(),
        row.fullSeconds / row.seconds,
        row.fullSeconds,
        row.sampling == null ? "in full" : row.sampling.how());
  }

  /** Over all kernels so far. */
  public String summary() {
    double[] errors = rows.stream().mapToDouble(row -> Math.abs(row.error())).toArray();
    return String.format(
        Locale.ROOT,
        "%d lines: error %.2f %% on average, %.2f %% at most; interval held in %d; %.1f times less"
            + " work (geometric mean %.1f), %.1f times less time (geometric mean %.1f)",
        rows.size(),
        100 * Arrays.stream(errors).average().orElse(0),
        100 * Arrays.stream(errors).max().orElse(0),
        rows.stream().filter(Row::held).count(),
        sum(Row::instructions) / sum(Row::work),
        mean(row -> (double) row.instructions / row.work()),
        sum(Row::fullSeconds) / sum(Row::seconds),
        mean(row -> row.fullSeconds / row.seconds));
  }

  private double sum(ToDoubleFunction<Row> value) {
    return rows.stream().mapToDouble(value).sum();
  }

  private double mean(ToDoubleFunction<Row> ratio) {
    return Math.exp(
        rows.stream().mapToDouble(row -> Math.log(ratio.applyAsDouble(row))).average().orElse(0));
  }
}
