package dev.warpline.cli;

import dev.warpline.amd.launch.Gem5Text;
import dev.warpline.amd.launch.LaunchRun;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.Results;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.nvidia.Core;
import dev.warpline.nvidia.classic.AccelSimText;
import dev.warpline.study.Simulation;
import dev.warpline.trace.TraceSet;
import dev.warpline.web.report.Comparison;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Simulates a traced program (NVIDIA) or a launch file (AMD). */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Simulate a traced program (NVIDIA) or the kernels of a launch file (AMD, LAUNCH.yaml; see"
          + " docs/amd.md) on a GPU and say how long it takes."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class RunCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin TraceOptions input;

  @Mixin GpuOptions gpu;

  @Mixin ProfileFiles profile;

  @Option(
      names = "--core",
      description = {
        "Model of the SM: ${COMPLETION-CANDIDATES} (default: modern where the GPU's description has"
            + " it)."
      })
  Core core;

  @Option(
      names = "--cold",
      description = "Empty the caches before every kernel, as a profiler does (modern core).")
  boolean cold;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = {
        "Threads that simulate (default: the processors of this machine); results are the same for"
            + " any number."
      })
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--json",
      paramLabel = "FILE|-",
      description = "Write everything as JSON; - writes it to standard output alone.")
  String json;

  @Option(
      names = "--csv",
      paramLabel = "FILE|-",
      description = "Write one row per kernel as CSV; - writes it to standard output alone.")
  String csv;

  @Option(
      names = "--parquet",
      paramLabel = "FILE",
      description = "Write one row per kernel as an Apache Parquet file.")
  Path parquet;

  @Option(
      names = "--what-if",
      paramLabel = "FIELD=VALUE",
      description = {
        "Simulate once more with these settings and print the difference, e.g. clocks.coreMHz=2x."
            + " Repeatable."
      })
  List<String> whatIf = new ArrayList<>();

  @Option(
      names = "--stats",
      paramLabel = "accel-sim|gem5",
      description = {
        "Print statistics as the text that Accel-Sim's scripts read, or (AMD) under gem5's names."
      })
  String stats;

  @Option(
      names = "--functional",
      description = "AMD: execute without timing; only results and instruction counts.")
  boolean functional;

  @Option(
      names = "--max-cycles",
      paramLabel = "N",
      description = "Stop after so many core cycles (exit code 4).")
  long maxCycles;

  @Option(
      names = "--max-instructions",
      paramLabel = "N",
      description = "Stop after so many warp instructions (exit code 4).")
  long maxInstructions;

  @Override
  public Integer call() throws IOException {
    boolean launchFile = LaunchFileRun.isLaunchFile(input.trace);
    String expected = launchFile ? "gem5" : "accel-sim";
    if (stats != null && !stats.equals(expected)) {
      throw new ParameterException(
          spec.commandLine(), "--stats " + stats + ": expected " + expected);
    }
    if (functional && !launchFile) {
      throw new ParameterException(
          spec.commandLine(), "--functional: expected a launch file (.yaml), found " + input.trace);
    }
    if (threads < 1) {
      throw new ParameterException(
          spec.commandLine(), "--threads " + threads + ": expected 1 or more");
    }
    PrintWriter err = spec.commandLine().getErr();
    if (launchFile) {
      return runLaunchFile(err);
    }
    GpuDescription description = gpu.load("rtx3070");
    if (maxCycles == 0) {
      maxCycles = gpu.maxCycles();
    }
    Core model = core == null ? Core.bestFor(description) : core;
    RunOptions options =
        new RunOptions(threads, maxCycles, maxInstructions, input::wants, record());
    RunResult result = simulate(description, model, options, true);
    result.kernels().stream()
        .flatMap(k -> k.warnings().stream())
        .distinct()
        .forEach(w -> err.println("warning: " + w));
    write(result);
    profile.write(result, input.trace.getFileName().toString());
    if (!whatIf.isEmpty()) {
      gpu.settings.addAll(whatIf);
      printWhatIf(result, simulate(gpu.load("rtx3070"), model, options, false));
    }
    return ExitCode.OK;
  }

  private int runLaunchFile(PrintWriter err) throws IOException {
    LaunchRun.Outcome outcome = launch(err);
    write(outcome.result());
    profile.write(outcome.result(), input.trace.getFileName().toString());
    if (!whatIf.isEmpty()) {
      gpu.settings.addAll(whatIf);
      printWhatIf(outcome.result(), launch(err).result());
    }
    return outcome.failedChecks().isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }

  private LaunchRun.Outcome launch(PrintWriter err) throws IOException {
    RunOptions options =
        new RunOptions(threads, maxCycles, maxInstructions, (id, name) -> true, record());
    try (Watcher watcher = new Watcher()) {
      LaunchRun.Outcome outcome =
          LaunchFileRun.run(input.trace, gpu.load("mi300a"), options, functional, watcher, err);
      return new LaunchRun.Outcome(
          outcome.result().withConfiguration(Simulation.configuration(gpu.explain("mi300a"))),
          outcome.failedChecks(),
          outcome.cpuSeconds());
    }
  }

  /** What to write down: what the files need, or for a comparison the plain profile. */
  private ProfileOptions record() {
    ProfileOptions wanted = profile.options();
    return wanted == null && !whatIf.isEmpty() ? ProfileOptions.NO_TIMELINE : wanted;
  }

  private void printWhatIf(RunResult result, RunResult other) {
    boolean data = "-".equals(json) || "-".equals(csv);
    PrintWriter out = data ? spec.commandLine().getErr() : spec.commandLine().getOut();
    WhatIfText.print(Comparison.of(result, other), whatIf, out);
    out.flush();
  }

  private RunResult simulate(
      GpuDescription description, Core model, RunOptions options, boolean complain)
      throws IOException {
    try (TraceSet program = input.open();
        Watcher watcher = new Watcher()) {
      RunResult result = model.machine(description, cold).run(program, options, watcher);
      if (complain) {
        TraceOptions.printMessages(program, spec.commandLine().getErr());
      }
      return result.withConfiguration(Simulation.configuration(gpu.explain("rtx3070")));
    }
  }

  private void write(RunResult result) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (json != null && !json.equals("-")) {
      Results.writeJson(result, Path.of(json));
    }
    if (csv != null && !csv.equals("-")) {
      Results.writeCsv(result, Path.of(csv));
    }
    if (parquet != null) {
      Results.writeParquet(result, parquet);
    }
    if ("-".equals(json)) {
      Results.writeJson(result, out);
    } else if ("-".equals(csv)) {
      Results.writeCsv(result, out);
    } else if ("gem5".equals(stats)) {
      new Gem5Text(out).write(result);
    } else if (stats != null) {
      new AccelSimText(out).write(result);
    } else {
      RunText.print(result, out);
    }
    out.flush();
  }

  /** Shows blocks done, cycles, rate and time left on a terminal. */
  private static final class Watcher implements Progress, AutoCloseable {
    private final ProgressLine line = new ProgressLine();
    private int id;
    private long blocks;
    private long began;

    @Override
    public void kernelStarted(int kernel, String name, long count) {
      id = kernel;
      blocks = count;
      began = System.nanoTime();
    }

    @Override
    public void advanced(long cycles, long blocksDone, long warpInstructions) {
      double seconds = (System.nanoTime() - began) / 1e9;
      String left =
          blocksDone == 0
              ? ""
              : String.format(
                  Locale.ROOT, ", %.0f s left", seconds * (blocks - blocksDone) / blocksDone);
      line.show(
          String.format(
              Locale.ROOT,
              "kernel %d: %d of %d blocks, cycle %d, %.0f k warp instructions/s%s",
              id,
              blocksDone,
              blocks,
              cycles,
              warpInstructions / seconds / 1e3,
              left));
    }

    @Override
    public void kernelFinished(KernelResult result) {
      began = System.nanoTime();
    }

    @Override
    public void close() {
      line.close();
    }
  }
}
