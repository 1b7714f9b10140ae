package dev.warpline.cli;

import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The trace to read and how strictly; a mixin of every command that reads one. */
final class TraceOptions {
  @Spec(Target.MIXEE)
  picocli.CommandLine.Model.CommandSpec spec;

  @Parameters(
      paramLabel = "TRACE",
      description = {
        "A kernelslist.g, a folder that has one, an archive of such a folder (.tar.xz, .tar.gz,"
            + " .tar.zst, .tar, .zip), one kernel's trace, a trace cache (.wlt), or a program"
            + " (.yaml; docs/programs.md)."
      })
  Path trace;

  @Option(
      names = "--strict",
      description = {
        "Fail at the first thing in the trace that is not as it should be, and on settings and"
            + " options that have no effect (exit code 3)."
      })
  boolean strict;

  @Mixin KernelFilter choice;

  /**
   * Opens the trace, through its cache where there is one.
   *
   * @throws IOException also if a kernel is chosen by a number that the trace does not have
   */
  TraceSet open() throws IOException {
    TraceSet set = Traces.open(trace, diagnostics());
    try {
      int launches = 0;
      for (TraceCommand command : set.commands()) {
        launches += command instanceof TraceCommand.Launch ? 1 : 0;
      }
      for (String number : choice.numbersBeyond(launches)) {
        throw new IOException(
            trace + ": no kernel is " + number + ", expected one of 1 to " + launches);
      }
      return set;
    } catch (IOException | RuntimeException e) {
      set.close();
      throw e;
    }
  }

  /** Names that the user chose and no kernel read so far has, as a message; null if none. */
  String unmetMessage() {
    return choice.unmetMessage(trace.toString());
  }

  /** A collector as strict as the user wants. */
  Diagnostics diagnostics() {
    return strict ? Diagnostics.strict() : Diagnostics.lenient();
  }

  /** The launches that the user did not exclude by number. Names are checked by the caller. */
  List<TraceCommand.Launch> launches(TraceSet set) {
    List<TraceCommand.Launch> chosen = new ArrayList<>();
    for (TraceCommand command : set.commands()) {
      if (command instanceof TraceCommand.Launch launch && choice.mayWant(launch.index() + 1)) {
        chosen.add(launch);
      }
    }
    return chosen;
  }

  /** Prints what was wrong with the trace, if anything. */
  static void printMessages(TraceSet set, PrintWriter err) {
    for (String message : set.diagnostics().messages()) {
      err.println("warning: " + message);
    }
  }
}
