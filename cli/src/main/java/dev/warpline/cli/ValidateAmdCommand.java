package dev.warpline.cli;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.study.amd.MeasuredTimes;
import dev.warpline.study.amd.MeasuredTimes.LeftOut;
import dev.warpline.study.amd.MeasuredTimes.Point;
import dev.warpline.study.amd.MeasuredTimes.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares simulated AMD sample kernels with measured times. */
@Command(
    name = "validate-amd",
    mixinStandardHelpOptions = true,
    description = "Run the AMD sample kernels that measured times exist for, and compare.",
    optionListHeading = "%nOptions:%n")
final class ValidateAmdCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin GpuOptions gpu;

  @Option(
      names = "--times",
      paramLabel = "CSV",
      description =
          "Measured times: kernel, size, milliseconds (default: examples/amd/mi300a-times.csv).")
  Path times = Home.example("amd/mi300a-times.csv");

  @Option(
      names = "--code",
      paramLabel = "DIR",
      description = "The samples' code objects (default: examples/amd/co).")
  Path code = Home.example("amd/co");

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      defaultValue = "",
      description = "Calls whose kernel and size match.")
  Pattern only;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = "Threads that simulate.")
  int threads = Runtime.getRuntime().availableProcessors();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    GpuDescription description = gpu.load("mi300a");
    gpu.warn("gcn");
    out.printf(
        "%-20s %-34s %12s %12s %8s%n", "kernel", "size", "measured ms", "simulated", "error");
    List<Point> points =
        MeasuredTimes.compare(
            description,
            times,
            code,
            only,
            threads,
            point -> {
              out.printf(
                  Locale.ROOT,
                  "%-20s %-34s %12.4f %12.4f %+7.1f%%%n",
                  point.kernel(),
                  point.size(),
                  point.measured(),
                  point.simulated(),
                  100 * point.error());
              out.flush();
            });
    if (points.isEmpty()) {
      throw new IOException(times + ": no call that can be simulated matches \"" + only + "\"");
    }
    out.printf(
        "%n%-20s %6s %9s %9s   %s%n",
        "program", "points", "weighted", "mean", "with the host's times fitted to all others");
    List<LeftOut> programs = MeasuredTimes.leaveOneOut(points);
    for (LeftOut one : programs) {
      out.printf(
          Locale.ROOT,
          "%-20s %6d %8.1f%% %8.1f%%   weighted %.1f%%, mean %.1f%% (%s)%n",
          one.program(),
          one.as().points(),
          100 * one.as().weighted(),
          100 * one.as().mean(),
          100 * one.leftOut().weighted(),
          100 * one.leftOut().mean(),
          one.host());
    }
    Summary summary = MeasuredTimes.summary(points);
    Summary left = MeasuredTimes.leftOut(programs);
    out.printf(
        Locale.ROOT,
        "%d points, weighted error %.1f %%, mean error %.1f %%; with times fitted to all other"
            + " programs: weighted %.1f %%, mean %.1f %%%n",
        summary.points(),
        100 * summary.weighted(),
        100 * summary.mean(),
        100 * left.weighted(),
        100 * left.mean());
    out.flush();
    return ExitCode.OK;
  }
}
