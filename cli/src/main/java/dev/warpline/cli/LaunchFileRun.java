package dev.warpline.cli;

import dev.warpline.amd.launch.LaunchRun;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.GpuDescription;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;

/** The AMD half of {@code run}: a launch file instead of a trace. */
final class LaunchFileRun {
  private LaunchFileRun() {}

  static boolean isLaunchFile(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }

  /** Runs a launch file; says on {@code err} which of its checks failed. */
  static LaunchRun.Outcome run(
      Path file,
      GpuDescription gpu,
      RunOptions options,
      boolean functional,
      Progress progress,
      PrintWriter err)
      throws IOException {
    LaunchRun run = new LaunchRun(file, gpu);
    LaunchRun.Outcome outcome =
        functional ? run.functional(options, progress) : run.timed(options, progress);
    for (String failure : outcome.failedChecks()) {
      err.println("warpline: check failed: " + failure);
    }
    return outcome;
  }
}
