package dev.warpline.cli;

import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.web.report.Report;
import dev.warpline.web.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that ask why: report, timeline, profile; a mixin of commands that simulate. */
final class ProfileFiles {
  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description = "Write a page that says where the time goes: one file, no network needed.")
  Path report;

  @Option(
      names = "--profile",
      description = "Keep where the time goes in --json too, as --report does.")
  boolean profile;

  @Option(
      names = "--timeline",
      paramLabel = "FILE",
      description = "Write a window of cycles for Perfetto (.json, .json.gz) or Konata (.kanata).")
  Path timeline;

  @Option(
      names = "--window",
      paramLabel = "FROM:UNTIL",
      defaultValue = "0:10000",
      description = "Cycles of the timeline, from each kernel's launch (default: 0:10000).")
  String window;

  @Option(
      names = "--sms",
      paramLabel = "N",
      defaultValue = "1",
      description = "SMs of the timeline: the first that get a block (default: 1).")
  int sms;

  /** What the simulation has to record, null if nothing. */
  ProfileOptions options() {
    if (timeline == null) {
      return report != null || profile ? ProfileOptions.NO_TIMELINE : null;
    }
    try {
      Timeline.check(timeline);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage());
    }
    String[] ends = window.split(":", -1);
    if (!window.matches("\\d{1,15}:\\d{1,15}")
        || Long.parseLong(ends[0]) >= Long.parseLong(ends[1])
        || sms < 1) {
      throw new ParameterException(
          command.commandLine(),
          "--window "
              + window
              + " --sms "
              + sms
              + ": expected FROM:UNTIL, e.g. 5000:15000, and 1 SM or more");
    }
    return new ProfileOptions(Long.parseLong(ends[0]), Long.parseLong(ends[1]), sms);
  }

  /** Writes the files that were asked for. */
  void write(RunResult result, String title) throws IOException {
    if (report != null) {
      Report.write(result, title, report);
    }
    if (timeline != null) {
      Timeline.write(result, timeline);
    }
  }
}
