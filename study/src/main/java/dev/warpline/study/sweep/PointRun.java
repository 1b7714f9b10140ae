package dev.warpline.study.sweep;

import dev.warpline.amd.launch.LaunchRun;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.nvidia.Core;
import dev.warpline.study.Simulation;
import dev.warpline.study.Target;
import dev.warpline.study.sample.SampledRun;
import dev.warpline.study.store.Point;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The simulation of one point: all that a worker, wherever it is, has to do. */
public final class PointRun {
  private PointRun() {}

  /**
   * Simulates a point from cold caches, on one thread.
   *
   * @param gpu the point's GPU with its settings
   * @param stop ends it early
   */
  public static RunResult of(Point point, GpuDescription gpu, StopSignal stop) throws IOException {
    RunOptions options =
        new RunOptions(1, point.maxCycles(), 0, new KernelChoice(point.kernels()), null, stop)
            .withSample(point.sample());
    Path program = Path.of(point.trace());
    if (isLaunchFile(program)) {
      LaunchRun.Outcome outcome = new LaunchRun(program, gpu).timed(options, Progress.NONE);
      if (!outcome.failedChecks().isEmpty()) {
        throw new IOException("check failed: " + String.join("; ", outcome.failedChecks()));
      }
      return outcome.result();
    }
    Core core = Core.valueOf(point.core().toUpperCase(Locale.ROOT));
    try (TraceSet trace = Traces.open(program)) {
      RunResult result = SampledRun.of(core.machine(gpu), false, trace, options, Progress.NONE);
      if (result.kernels().isEmpty()) {
        throw new IOException(program + ": no kernel is " + String.join(" or ", point.kernels()));
      }
      return result
          .withWarnings(Target.warnings(trace, gpu, core))
          .withWarnings(trace.diagnostics().messages());
    }
  }

  /** Why a point has no result. */
  public static String words(Exception e) {
    if (e instanceof NoSuchFileException) {
      return e.getMessage() + ": no such file or folder";
    }
    boolean ours = e instanceof IOException || e instanceof UnfinishedSimulationException;
    return ours && e.getMessage() != null
        ? e.getMessage()
        : "an error inside Warpline: " + e + at(e.getStackTrace());
  }

  private static String at(StackTraceElement[] trace) {
    return trace.length == 0 ? "" : " at " + trace[0];
  }

  static boolean isLaunchFile(Path trace) {
    String name = trace.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }

  /** What a trace consists of. */
  public static List<Path> files(Path trace, GpuDescription gpu) throws IOException {
    return isLaunchFile(trace) ? new LaunchRun(trace, gpu).files() : Simulation.files(trace);
  }
}
