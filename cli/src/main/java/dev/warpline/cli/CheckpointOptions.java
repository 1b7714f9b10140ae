package dev.warpline.cli;

import dev.warpline.engine.Origin;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.WholeFile;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.state.Checkpoints;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Stopping a run and going on with it; a mixin of commands that simulate. */
final class CheckpointOptions {
  private static final String EVERY = "(\\d{1,12})(s|m|h|cycles)";

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description = {
        "Write the state of the simulation to this file when it is stopped by Ctrl-C or SIGTERM,"
            + " and as often as --checkpoint-every says (docs/programs.md)."
      })
  Path file;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "TIME",
      description = "How often: 30s, 10m, 2h, or 5000000cycles of simulated time.")
  String every;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description = {
        "Go on from a checkpoint of the same run: same input, GPU and settings; threads may differ."
            + " Results are those of a run that never stopped."
      })
  Path from;

  private Checkpoints checkpoints;

  /**
   * What they do to a run.
   *
   * @param choice what else decides on results: which kernels, cold caches
   */
  Experiment.Preparation of(String choice) {
    return new Experiment.Preparation() {
      @Override
      public RunOptions prepare(RunOptions options, Origin origin, String core) throws IOException {
        return applied(options, origin, core, choice);
      }

      @Override
      public boolean needsOrigin() {
        return asked();
      }

      @Override
      public void ended(StopSignal stop) {
        tell(stop);
      }
    };
  }

  /** Says where a run that was stopped can be taken up again. */
  private void tell(StopSignal stop) {
    if (file != null && stop.reason() != null) {
      PrintWriter err = command.commandLine().getErr();
      err.println(
          checkpoints != null && checkpoints.written() > 0
              ? "warpline: the state is in " + file + "; --resume " + file + " goes on from it"
              : "warpline: stopped before there was a state to write to " + file);
      err.flush();
    }
  }

  /** Whether any of it was asked for. */
  boolean asked() {
    return file != null || every != null || from != null;
  }

  /** Refuses what cannot be stopped and resumed. */
  void refuse(boolean wrong, String why) {
    if (wrong && asked()) {
      String option =
          from != null ? "--resume" : file != null ? "--checkpoint" : "--checkpoint-every";
      throw new ParameterException(command.commandLine(), option + ": " + why);
    }
  }

  private RunOptions applied(RunOptions options, Origin origin, String core, String choice)
      throws IOException {
    if (!asked()) {
      return options;
    }
    refuse(every != null && file == null, "needs --checkpoint FILE");
    Map<String, String> run = new LinkedHashMap<>();
    run.put("Warpline's version", origin.version() + " " + origin.build());
    run.put("the input's SHA-256", origin.inputSha256());
    run.put("the GPU description's SHA-256", origin.descriptionSha256());
    run.put("the core", core);
    run.put("the choice of kernels", choice);
    run.put("what is recorded", recorded(options.profile()));
    checkpoints = new Checkpoints(run);
    if (from != null) {
      checkpoints.resume(from);
    }
    if (file != null) {
      WholeFile.check(file);
      checkpoints.writeTo(file);
      rhythm();
    }
    return options.withCheckpoints(checkpoints);
  }

  private void rhythm() {
    if (every == null) {
      return;
    }
    Matcher found = Pattern.compile(EVERY).matcher(every);
    if (!found.matches() || Long.parseLong(found.group(1)) == 0) {
      throw new ParameterException(
          command.commandLine(),
          "--checkpoint-every: found " + every + ", expected 30s, 10m, 2h or 5000000cycles");
    }
    long count = Long.parseLong(found.group(1));
    switch (found.group(2)) {
      case "cycles" -> checkpoints.everyCycles(count);
      case "h" -> checkpoints.everySeconds(3600.0 * count);
      case "m" -> checkpoints.everySeconds(60.0 * count);
      default -> checkpoints.everySeconds(count);
    }
  }

  private static String recorded(ProfileOptions profile) {
    return profile == null
        ? "nothing"
        : String.format(
            "a profile, a timeline of cycles %d to %d on %d SMs, %s, line %d",
            profile.timelineFrom(),
            profile.timelineUntil(),
            profile.timelineSms(),
            new TreeSet<>(profile.topics()),
            profile.follow());
  }
}
