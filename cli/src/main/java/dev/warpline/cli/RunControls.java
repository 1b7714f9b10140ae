package dev.warpline.cli;

import dev.warpline.engine.RunOptions;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.ProfileOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a program is simulated: threads, limits, alternatives; a mixin of commands that run one. */
final class RunControls {
  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  /** Ends the run before its time. */
  StopSignal stop = new StopSignal();

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
      names = "--what-if",
      paramLabel = "FIELD=VALUE[,FIELD=VALUE...]",
      description = {
        "Simulate once more with these settings and print the difference, e.g."
            + " flowMemory.l2MiB=2x. Repeatable: each is an alternative of its own."
      })
  List<String> whatIf = new ArrayList<>();

  @Option(
      names = "--advise",
      description = {
        "Say why kernels take their time and what to change, with what it would gain: simulates the"
            + " program once more without each of the four causes that weigh most (modern core;"
            + " docs/advice.md)."
      })
  boolean advise;

  @Option(
      names = "--functional",
      description = "AMD: execute without timing; only results and instruction counts.")
  boolean functional;

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
      description = "Stop after so many warp instructions (exit code 4).")
  Long maxInstructions;

  /** Settings of each further simulation. */
  List<List<String>> alternatives() {
    return whatIf.stream().map(Gpus::settings).toList();
  }

  RunOptions options(GpuOptions gpu, OutputFiles files, BiPredicate<Integer, String> kernels)
      throws IOException {
    ProfileOptions recording = files.recording();
    return new RunOptions(
        threads,
        maxCycles == null ? gpu.maxCycles() : maxCycles,
        maxInstructions == null ? 0 : maxInstructions,
        kernels,
        recording == null && (!whatIf.isEmpty() || advise) ? ProfileOptions.NO_TIMELINE : recording,
        stop);
  }

  /** Refuses what needs time where there is none. */
  void refuseTimed(OutputFiles files, String stats) {
    if (functional) {
      String timed = "needs time, which --functional leaves out";
      refuse(!whatIf.isEmpty(), "--what-if", timed);
      refuse(advise, "--advise", timed);
      refuse(maxCycles != null, "--max-cycles", timed);
      refuse(files.report != null, "--report", timed);
      refuse(files.profile, "--profile", timed);
      refuse(files.timeline != null, "--timeline", timed);
      refuse(files.lines != null, "--lines", timed);
      refuse(!files.baseline.isEmpty(), "--baseline", timed);
      refuse(stats != null, "--stats", timed);
    }
  }

  /** Refuses an option if something is wrong with it. */
  void refuse(boolean wrong, String option, String why) {
    if (wrong) {
      throw WrongUse.of(command, option + ": " + why);
    }
  }
}
