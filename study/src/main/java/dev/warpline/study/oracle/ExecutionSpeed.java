package dev.warpline.study.oracle;

import dev.warpline.engine.RunOptions;
import dev.warpline.nvidia.capture.CaptureExecution;
import dev.warpline.nvidia.capture.KernelOutcome;
import dev.warpline.trace.CacheWriter;
import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How fast captures are executed in a warm process, and what executing adds to simulating: the same
 * kernels from the capture and from a trace cache of it, in turns.
 */
public final class ExecutionSpeed {
  /** Only the executing thread counts: the compiler of the virtual machine works beside it. */
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** A kernel's best speed, in million warp instructions a second. */
  private record Kernel(String name, double speed) {}

  private final AddedCost.Machines machines;
  private final int repeat;
  private final long least;
  private final List<Kernel> kernels = new ArrayList<>();
  private final List<Double> ratios = new ArrayList<>();

  /**
   * @param repeat runs of each capture, the best counts for each kernel
   * @param least warp instructions of the kernels whose speeds are averaged
   */
  public ExecutionSpeed(AddedCost.Machines machines, int repeat, long least) {
    this.machines = machines;
    this.repeat = Math.max(1, repeat);
    this.least = least;
  }

  public static String header() {
    return String.format(
        "%-18s %8s %12s %10s %10s %14s %14s %8s",
        "capture",
        "kernels",
        "warp inst",
        "M/s",
        "geomean",
        "executed+sim s",
        "from cache s",
        "ratio");
  }

  /** Measures a capture and says what came out. */
  public String measure(Path capture, String name) throws IOException {
    List<KernelOutcome> best = new ArrayList<>();
    for (int i = 0; i < repeat; i++) {
      List<KernelOutcome> outcomes = new ArrayList<>();
      CaptureExecution.run(capture, outcomes::add, done -> {});
      for (int k = 0; k < outcomes.size(); k++) {
        if (i == 0) {
          best.add(outcomes.get(k));
        } else if (outcomes.get(k).seconds() < best.get(k).seconds()) {
          best.set(k, outcomes.get(k));
        }
      }
    }
    List<Kernel> large = new ArrayList<>();
    for (KernelOutcome one : best) {
      if (one.instructions() >= least && one.seconds() > 0) {
        large.add(
            new Kernel(
                name + " kernel " + one.number(), one.instructions() / one.seconds() * 1e-6));
      }
    }
    kernels.addAll(large);
    long instructions = best.stream().mapToLong(KernelOutcome::instructions).sum();
    double seconds = best.stream().mapToDouble(KernelOutcome::seconds).sum();
    double[] both = withSimulation(capture, name);
    ratios.add(both[1] / both[0]);
    return String.format(
        Locale.ROOT,
        "%-18s %8d %12d %10.2f %10s %14.3f %14.3f %8.2f",
        name,
        best.size(),
        instructions,
        seconds == 0 ? 0 : instructions / seconds * 1e-6,
        large.isEmpty() ? "" : String.format(Locale.ROOT, "%.2f", speed(large)),
        both[0],
        both[1],
        both[1] / both[0]);
  }

  /** Seconds of executing and simulating, and of simulating from a trace cache. */
  private double[] withSimulation(Path capture, String name) throws IOException {
    Path cache = Files.createTempFile("warpline-bench", Traces.CACHE_SUFFIX);
    try {
      try (TraceSet set = Traces.openSource(capture, Diagnostics.lenient())) {
        CacheWriter.write(set, "", cache, done -> {});
      }
      double[] both = {Double.MAX_VALUE, Double.MAX_VALUE};
      for (int i = 0; i < repeat; i++) {
        both[0] = Math.min(both[0], seconds(capture, name));
        both[1] = Math.min(both[1], seconds(cache, name));
      }
      return both;
    } finally {
      Files.deleteIfExists(cache);
    }
  }

  private double seconds(Path trace, String name) throws IOException {
    long began = THREADS.getCurrentThreadCpuTime();
    Workload.run(machines.create(), trace, name, RunOptions.DEFAULT);
    return (THREADS.getCurrentThreadCpuTime() - began) * 1e-9;
  }

  private static double speed(List<Kernel> some) {
    return Math.exp(some.stream().mapToDouble(one -> Math.log(one.speed())).average().orElse(0));
  }

  /** Means, the slowest and the fastest kernel. */
  public List<String> summary() {
    List<String> lines = new ArrayList<>();
    if (kernels.isEmpty()) {
      lines.add("no kernel has " + least + " warp instructions");
    } else {
      Comparator<Kernel> bySpeed = Comparator.comparingDouble(Kernel::speed);
      Kernel slowest = kernels.stream().min(bySpeed).orElseThrow();
      Kernel fastest = kernels.stream().max(bySpeed).orElseThrow();
      lines.add(
          String.format(
              Locale.ROOT,
              "execution: %.2f M warp instructions/s in the geometric mean over %d kernels of at"
                  + " least %d, from %.2f (%s) to %.2f (%s)",
              speed(kernels),
              kernels.size(),
              least,
              slowest.speed(),
              slowest.name(),
              fastest.speed(),
              fastest.name()));
    }
    double mean = Math.exp(ratios.stream().mapToDouble(Math::log).average().orElse(0));
    lines.add(
        String.format(
            Locale.ROOT,
            "execution and simulation together: %.2f times as fast as simulation from a trace cache"
                + " in the geometric mean, %.2f at least",
            mean,
            ratios.stream().mapToDouble(Double::doubleValue).min().orElse(0)));
    return lines;
  }
}
