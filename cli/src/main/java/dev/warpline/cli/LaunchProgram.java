package dev.warpline.cli;

import dev.warpline.amd.launch.LaunchRun;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.nvidia.program.ProgramFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The kernels of a launch file on an AMD GPU.
 *
 * @param file the launch file
 * @param functional whether kernels are only executed, without time
 */
record LaunchProgram(Path file, boolean functional) implements Program {
  static boolean isLaunchFile(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    return (name.endsWith(".yaml") || name.endsWith(".yml")) && !ProgramFile.isProgram(path);
  }

  @Override
  public String standardGpu() {
    return "mi300a";
  }

  @Override
  public void check(GpuDescription gpu) throws IOException {
    new LaunchRun(file, gpu).check();
  }

  @Override
  public String core(GpuDescription gpu) {
    return "gcn";
  }

  @Override
  public Attempt run(GpuDescription gpu, RunOptions options, Progress progress) {
    RunResult nothing =
        Attempt.nothing(
            gpu, functional ? RunResult.FUNCTIONAL : "gcn", functional ? 1 : options.threads());
    List<String> failedChecks = new ArrayList<>();
    Attempt attempt =
        Attempt.of(
            nothing,
            progress,
            watcher -> {
              LaunchRun run = new LaunchRun(file, gpu);
              LaunchRun.Outcome outcome =
                  functional ? run.functional(options, watcher) : run.timed(options, watcher);
              failedChecks.addAll(outcome.failedChecks());
              return outcome.result();
            });
    return new Attempt(attempt.result(), attempt.failure(), failedChecks);
  }

  @Override
  public List<Path> files(GpuDescription gpu) throws IOException {
    return new LaunchRun(file, gpu).files();
  }
}
