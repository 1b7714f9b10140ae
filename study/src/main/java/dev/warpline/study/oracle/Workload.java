package dev.warpline.study.oracle;

import com.sun.management.OperatingSystemMXBean;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.nvidia.Machine;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** One simulated workload: its results and what the simulation cost. */
public record Workload(
    String name,
    List<KernelResult> kernels,
    double wallSeconds,
    double cpuSeconds,
    long peakBytes) {
  private static final List<String> SUFFIXES =
      List.of(".wlt", "", ".tar.xz", ".tar.zst", ".tar.gz", ".tar", ".zip");

  /** The processor-time clock moves in steps of this many seconds. */
  private static final double CPU_CLOCK_STEP = 0.01;

  /** The trace of a workload in a folder: a cache, a folder or an archive of its name. */
  public static Path find(Path folder, String name) throws IOException {
    for (String suffix : SUFFIXES) {
      Path candidate = folder.resolve(name + suffix);
      if (Files.exists(candidate)) {
        return candidate;
      }
    }
    throw new NoSuchFileException(folder.resolve(name) + " (.wlt, .tar.xz, ... or a folder)");
  }

  /** Runs a workload; reading its trace counts as part of the cost. */
  public static Workload run(Machine machine, Path trace, String name, RunOptions options)
      throws IOException {
    long cpu = processCpuNanos();
    long wall = System.nanoTime();
    try (TraceSet program = Traces.open(trace)) {
      RunResult result = machine.run(program, options, Progress.NONE);
      return new Workload(
          name,
          result.kernels(),
          (System.nanoTime() - wall) / 1e9,
          Math.max(CPU_CLOCK_STEP, (processCpuNanos() - cpu) / 1e9),
          result.simulation().peakMemoryBytes());
    }
  }

  /** Runs a workload on so many threads. */
  public static Workload run(Machine machine, Path trace, String name, int threads)
      throws IOException {
    return run(machine, trace, name, RunOptions.DEFAULT.withThreads(threads));
  }

  private static long processCpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** The program's time: the last kernel's end. */
  public long cycles() {
    return kernels.stream().mapToLong(KernelResult::end).max().orElse(0);
  }

  public long warpInstructions() {
    return kernels.stream().mapToLong(KernelResult::warpInstructions).sum();
  }

  public long threadInstructions() {
    return kernels.stream().mapToLong(KernelResult::threadInstructions).sum();
  }

  /** A statistic added up over the kernels. */
  public long statistic(String dottedName) {
    return kernels.stream()
        .mapToLong(k -> k.statistics().getOrDefault(dottedName, 0).longValue())
        .sum();
  }
}
