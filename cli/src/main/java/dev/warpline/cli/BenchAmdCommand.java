package dev.warpline.cli;

import dev.warpline.amd.launch.LaunchRun;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.GpuDescription;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures how fast AMD kernels are simulated. */
@Command(
    name = "bench-amd",
    mixinStandardHelpOptions = true,
    description = {
      "Measure the speed of the simulator on AMD launch files: wavefront instructions per second of"
          + " processor time on one thread, timed and functional."
    },
    optionListHeading = "%nOptions:%n")
final class BenchAmdCommand implements Callable<Integer> {
  private interface Run {
    LaunchRun.Outcome run() throws IOException;
  }

  @Spec CommandSpec spec;

  @Mixin GpuOptions gpu;

  @Option(
      names = "--launches",
      paramLabel = "DIR",
      description = "Folder of launch files (default: examples/amd/launch).")
  Path launches = Home.example("amd/launch");

  @Option(
      names = "--repeat",
      paramLabel = "N",
      converter = Numbers.Count.class,
      description = "Runs of each, the fastest counts (default: ${DEFAULT-VALUE}).")
  int repeat = 5;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    GpuDescription description = gpu.load("mi300a");
    gpu.warn("gcn");
    List<Path> files;
    try (Stream<Path> all = Files.list(launches)) {
      files = all.filter(LaunchProgram::isLaunchFile).sorted().toList();
    }
    if (files.isEmpty()) {
      throw new IOException(launches + ": found no launch file (.yaml)");
    }
    out.printf(
        "%-24s %14s %14s %14s%n", "launch file", "instructions", "timed /s", "functional /s");
    double timedLogs = 0;
    double functionalLogs = 0;
    for (Path file : files) {
      LaunchRun run = new LaunchRun(file, description);
      double[] timed = fastest(() -> run.timed(RunOptions.DEFAULT, Progress.NONE));
      double[] functional = fastest(() -> run.functional(RunOptions.DEFAULT, Progress.NONE));
      timedLogs += Math.log(timed[1]);
      functionalLogs += Math.log(functional[1]);
      out.printf(
          Locale.ROOT,
          "%-24s %,14.0f %,14.0f %,14.0f%n",
          file.getFileName(),
          timed[0],
          timed[1],
          functional[1]);
      out.flush();
    }
    out.printf(
        Locale.ROOT,
        "%-24s %14s %,14.0f %,14.0f%n",
        "geometric mean",
        "",
        Math.exp(timedLogs / files.size()),
        Math.exp(functionalLogs / files.size()));
    out.flush();
    return ExitCode.OK;
  }

  /** Instructions, and the best rate per second of this thread's processor time. */
  private double[] fastest(Run run) throws IOException {
    double instructions = 0;
    double best = 0;
    for (int i = 0; i < repeat; i++) {
      LaunchRun.Outcome outcome = run.run();
      instructions = outcome.result().kernels().stream().mapToLong(k -> k.warpInstructions()).sum();
      best = Math.max(best, instructions / outcome.cpuSeconds());
    }
    return new double[] {instructions, best};
  }
}
