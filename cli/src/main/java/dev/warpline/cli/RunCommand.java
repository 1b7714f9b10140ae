package dev.warpline.cli;

import dev.warpline.amd.launch.Gem5Text;
import dev.warpline.engine.KernelRange;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.nvidia.Core;
import dev.warpline.nvidia.classic.AccelSimText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.BiPredicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  @Mixin OutputFiles files;

  @Mixin RunControls controls;

  @Mixin CheckpointOptions checkpoints;

  @Mixin ProgramOptions whole;

  /** Where it prints; null until it is called. */
  Terminal terminal;

  /** Who it runs for. */
  Audience audience = Audience.TERMINAL;

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
      names = "--stats",
      paramLabel = "accel-sim|accelwattch|gem5|gem5-cus",
      description = {
        "Print statistics as the text that Accel-Sim's scripts read, power as AccelWattch's report,"
            + " or (AMD) statistics under gem5's names; gem5-cus: those of each compute unit too."
      })
  String stats;

  @Option(
      names = "--sample",
      paramLabel = "ERROR",
      converter = Numbers.Error.class,
      description = {
        "Simulate only as much as the program's time needs to be right to this error, e.g. 2%%, and"
            + " say the 95 %% interval (modern core; docs/sampling.md)."
      })
  Double sample;

  @Override
  public Integer call() throws IOException {
    if (spec != null) {
      terminal = Terminal.of(spec.commandLine());
    }
    boolean launchFile = LaunchProgram.isLaunchFile(input.trace);
    refuse(launchFile);
    if (launchFile) {
      return run(new LaunchProgram(input.trace, controls.functional));
    }
    try (TraceOpening opening = new TraceOpening(input)) {
      return run(
          new TraceProgram(
              input,
              opening,
              core,
              cold,
              sample != null,
              whole,
              whole.changes(),
              new CheckedMachine()));
    } catch (Restart restart) {
      return restart.run(terminal.words());
    }
  }

  private int run(Program program) throws IOException {
    RunOptions options = options();
    int code =
        new Experiment(program, input.trace, files, terminal, this::print, audience)
            .run(
                gpu,
                controls,
                input.strict,
                options,
                checkpoints.of(
                    input.choice.kernels
                        + (cold ? " from cold caches" : "")
                        + (whole.withHost ? " with its host" : "")
                        + whole.changes()));
    boolean byKernel = whole.until != null && !ProgramOptions.isTime(whole.until);
    if (byKernel && options.kernels() instanceof KernelRange range && !range.isOver()) {
      PrintWriter err = terminal.err();
      err.println(
          "warning: --until " + whole.until + ": no kernel was that one; it ran to its end");
      err.flush();
    }
    return code;
  }

  /** Refuses by name every option that would not act on such a program. */
  private void refuse(boolean launchFile) {
    checkpoints.refuse(controls.functional, "needs time, which --functional leaves out");
    checkpoints.refuse(
        !controls.whatIf.isEmpty() || controls.advise, "one simulation at a time, not --what-if");
    checkpoints.refuse(sample != null, "does not go with --sample");
    checkpoints.refuse(whole.reuse, "does not go with --reuse");
    checkpoints.refuse(
        whole.from != null || whole.until != null, "does not go with --from and --until");
    checkpoints.refuse(!files.log.isEmpty(), "does not go with --log");
    String expected = launchFile ? "gem5" : "accel-sim";
    boolean power = "accelwattch".equals(stats) && !launchFile;
    controls.refuse(
        stats != null && !stats.equals(expected) && !power && !(launchFile && eachUnit()),
        "--stats " + stats,
        "expected " + expected + (launchFile ? " or gem5-cus" : " or accelwattch"));
    if (power) {
      files.needEnergyFor("--stats accelwattch");
    }
    controls.refuse(
        whole.reuse && sample != null, "--reuse", "expected it or --sample, found both");
    if (sample != null || whole.reuse) {
      String everything =
          "needs everything to be simulated, which "
              + (whole.reuse ? "--reuse" : "--sample")
              + " leaves out";
      controls.refuse(files.profile, "--profile", everything);
      controls.refuse(controls.advise, "--advise", everything);
      controls.refuse(files.timeline != null, "--timeline", everything);
      controls.refuse(files.lines != null, "--lines", everything);
      controls.refuse(!files.log.isEmpty(), "--log", everything);
      controls.refuse(files.follow != null, "--follow", everything);
      controls.refuse(controls.maxInstructions != null, "--max-instructions", everything);
      controls.refuse(whole.from != null, "--from", everything);
      controls.refuse(whole.until != null, "--until", everything);
    }
    if (!launchFile) {
      controls.refuse(
          controls.functional,
          "--functional",
          "expected a launch file (.yaml), found " + input.trace);
      return;
    }
    String nvidia = "acts on traces of NVIDIA GPUs only, found launch file " + input.trace;
    controls.refuse(core != null, "--core", nvidia);
    controls.refuse(
        cold,
        "--cold",
        nvidia
            + "; acquire: system of a launch empties vector, scalar and second-level caches before"
            + " it");
    controls.refuse(sample != null, "--sample", nvidia);
    controls.refuse(whole.modernOnly() != null, whole.modernOnly(), nvidia);
    controls.refuse(!gpu.configs.isEmpty(), "--config", nvidia);
    controls.refuse(!files.log.isEmpty(), "--log", nvidia);
    controls.refuse(files.follow != null, "--follow", nvidia);
    controls.refuseTimed(files, stats);
  }

  private BiPredicate<Integer, String> kernels() {
    BiPredicate<Integer, String> first = end("--from", whole.from);
    BiPredicate<Integer, String> last = end("--until", whole.until);
    return first == null && last == null
        ? input.choice::wants
        : new KernelRange(input.choice::wants, first, last);
  }

  /** Whether a kernel is the one that a range begins or ends with; null if a time says so. */
  private BiPredicate<Integer, String> end(String option, String which) {
    if (which == null || ProgramOptions.isTime(which)) {
      return null;
    }
    if (!which.matches("\\d{1,9}")) {
      return (number, name) -> name.contains(which);
    }
    int chosen = Integer.parseInt(which);
    controls.refuse(chosen < 1, option + " " + which, "kernels are numbered from 1");
    return (number, name) -> number == chosen;
  }

  private RunOptions options() throws IOException {
    RunOptions all = controls.options(gpu, files, kernels()).withEachUnit(eachUnit());
    return sample == null
        ? whole.reuse ? all.withProfile(null) : all
        : all.withProfile(null).withSample(sample);
  }

  /** Whether the counters of each compute unit are wanted. */
  private boolean eachUnit() {
    return "gem5-cus".equals(stats);
  }

  private void print(RunResult result) {
    PrintWriter out = terminal.out();
    files.printFollowed(result);
    if ("gem5".equals(stats) || eachUnit()) {
      new Gem5Text(out).write(result);
    } else if ("accelwattch".equals(stats)) {
      AccelWattchText.write(result, out);
    } else if (stats != null) {
      new AccelSimText(out).write(result);
    } else {
      RunText.print(result, out);
    }
  }
}
