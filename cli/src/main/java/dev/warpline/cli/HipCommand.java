package dev.warpline.cli;

import dev.warpline.amd.launch.Gem5Text;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  @Mixin RunControls controls;

  @Mixin KernelFilter choice;

  @Option(names = "--quiet", description = "Print no summary; only warnings and errors.")
  boolean quiet;

  @Option(
      names = "--strict",
      description = "Fail on settings and options that have no effect (exit code 3).")
  boolean strict;

  @Option(
      names = "--stats",
      paramLabel = "gem5|gem5-cus",
      description =
          "Print statistics under gem5's names; gem5-cus: those of each compute unit too.")
  String stats;

  @Override
  public Integer call() throws IOException {
    refuse();
    PrintWriter err = spec.commandLine().getErr();
    Consumer<String> complain =
        complaint -> {
          err.println("warpline: " + complaint);
          err.flush();
        };
    HipProgram program = new HipProgram(command, controls.functional, cache(), complain);
    RunOptions options =
        controls.options(gpu, files, choice::wants).withEachUnit("gem5-cus".equals(stats));
    int code =
        new Experiment(
                program,
                Path.of(command.get(0)),
                files,
                Terminal.of(spec.commandLine()),
                this::print,
                Audience.TERMINAL)
            .run(gpu, controls, strict, options, (all, origin, core) -> all);
    String unmet = choice.unmetAfterRun(command.get(0));
    if (unmet != null) {
      complain.accept(unmet);
    }
    return code == ExitCode.OK ? program.exitCode() : code;
  }

  private void refuse() {
    boolean other = stats != null && !stats.equals("gem5") && !stats.equals("gem5-cus");
    controls.refuse(other, "--stats " + stats, "expected gem5 or gem5-cus");
    controls.refuse(!gpu.configs.isEmpty(), "--config", "acts on GPUs of NVIDIA only");
    controls.refuse(
        files.takesStandardOutput(), "--json - and --csv -", "standard output is the program's");
    controls.refuseTimed(files, stats);
    choice.check();
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
