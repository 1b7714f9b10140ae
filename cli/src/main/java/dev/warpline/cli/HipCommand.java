package dev.warpline.cli;

import dev.warpline.amd.launch.Gem5Text;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.profile.ProfileOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a HIP program with a simulated GPU. */
@Command(
    name = "hip",
    mixinStandardHelpOptions = true,
    description = {
      "Run a HIP program as it is: its host code on this machine, everything on the GPU in Warpline"
          + " (docs/hip.md). What Warpline has to say goes to standard error; the exit code is the"
          + " program's.",
      "",
      "  warpline hip --gpu mi210 --report report.html -- ./program arguments"
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class HipCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = "The program and its arguments, after --.")
  List<String> command = new ArrayList<>();

  @Mixin GpuOptions gpu;

  @Mixin OutputFiles files;

  @Option(
      names = "--functional",
      description = "Execute kernels without timing; nothing on the GPU takes time.")
  boolean functional;

  @Option(names = "--quiet", description = "Print no summary; only warnings and errors.")
  boolean quiet;

  @Option(
      names = "--strict",
      description = "Fail on settings and options that have no effect (exit code 3).")
  boolean strict;

  @Option(
      names = "--kernel",
      paramLabel = "N|N-M|NAME",
      split = ",",
      description = {
        "Time only these kernels: launch numbers from 1, ranges, or parts of kernel names; others"
            + " are executed without time. Repeatable."
      })
  List<String> kernels = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = {
        "Threads that simulate (default: the processors of this machine); results are the same for"
            + " any number."
      })
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--stats",
      paramLabel = "gem5",
      description = "Print statistics under gem5's names.")
  String stats;

  @Option(
      names = "--what-if",
      paramLabel = "FIELD=VALUE[,FIELD=VALUE...]",
      description = {
        "Run the program once more with these settings and print the difference. Repeatable: each"
            + " is an alternative of its own."
      })
  List<String> whatIf = new ArrayList<>();

  @Option(
      names = "--max-cycles",
      paramLabel = "N",
      converter = Numbers.Limit.class,
      description = "Stop after so many core cycles (exit code 4).")
  Long maxCycles;

  @Option(
      names = "--max-instructions",
      paramLabel = "N",
      converter = Numbers.Limit.class,
      description = "Stop after so many wavefront instructions (exit code 4).")
  Long maxInstructions;

  @Override
  public Integer call() throws IOException {
    refuse();
    PrintWriter err = spec.commandLine().getErr();
    HipProgram program =
        new HipProgram(
            command,
            functional,
            cache(),
            complaint -> {
              err.println("warpline: " + complaint);
              err.flush();
            });
    int code =
        new Experiment(program, Path.of(command.get(0)), files, spec.commandLine(), this::print)
            .run(gpu, whatIf.stream().map(WhatIf::settings).toList(), strict, options());
    return code == ExitCode.OK ? program.exitCode() : code;
  }

  private void refuse() {
    refuse(stats != null && !stats.equals("gem5"), "--stats " + stats, "expected gem5");
    refuse(!gpu.configs.isEmpty(), "--config", "acts on GPUs of NVIDIA only");
    refuse(!files.log.isEmpty(), "--log", "AMD's compute unit writes none");
    refuse(files.takesStandardOutput(), "--json - and --csv -", "standard output is the program's");
    if (functional) {
      String timed = "needs time, which --functional leaves out";
      refuse(!whatIf.isEmpty(), "--what-if", timed);
      refuse(maxCycles != null, "--max-cycles", timed);
      refuse(files.report != null, "--report", timed);
      refuse(files.profile, "--profile", timed);
      refuse(files.timeline != null, "--timeline", timed);
      refuse(stats != null, "--stats", timed);
    }
  }

  private void refuse(boolean wrong, String option, String why) {
    if (wrong) {
      throw new ParameterException(spec.commandLine(), option + ": " + why);
    }
  }

  /** Where the library is built: the user's folder for such things. */
  private static Path cache() {
    String folder = System.getenv("XDG_CACHE_HOME");
    Path base =
        folder == null || folder.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(folder);
    return base.resolve("warpline").resolve("hip");
  }

  private RunOptions options() throws IOException {
    TraceOptions chosen = new TraceOptions();
    chosen.spec = spec;
    chosen.kernels = kernels;
    ProfileOptions recording = files.recording();
    return new RunOptions(
        threads,
        maxCycles == null ? gpu.maxCycles() : maxCycles,
        maxInstructions == null ? 0 : maxInstructions,
        chosen::wants,
        recording == null && !whatIf.isEmpty() ? ProfileOptions.NO_TIMELINE : recording,
        new StopSignal());
  }

  private void print(RunResult result) {
    PrintWriter err = spec.commandLine().getErr();
    if (stats != null) {
      new Gem5Text(err).write(result);
    } else if (!quiet) {
      RunText.print(result, err);
    }
    err.flush();
  }
}
