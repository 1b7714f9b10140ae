package dev.warpline.cli;

import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
            + " .tar.zst, .tar, .zip), one kernel's trace, or a trace cache (.wlt)."
      })
  Path trace;

  @Option(
      names = "--strict",
      description = {
        "Fail at the first thing in the trace that is not as it should be, and on settings and"
            + " options that have no effect (exit code 3)."
      })
  boolean strict;

  @Option(
      names = "--kernel",
      paramLabel = "N|N-M|NAME",
      split = ",",
      description = {
        "Only these kernels: launch numbers from 1, ranges, or parts of kernel names. Repeatable."
      })
  List<String> kernels = new ArrayList<>();

  /** Names among the choices that some kernel has had. */
  private final Set<String> met = new HashSet<>();

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
      for (String choice : kernels) {
        if (!isName(choice) && !overlaps(choice, launches)) {
          throw new IOException(
              trace + ": no kernel is " + choice + ", expected one of 1 to " + launches);
        }
      }
      return set;
    } catch (IOException | RuntimeException e) {
      set.close();
      throw e;
    }
  }

  /** Names that the user chose and no kernel read so far has; empty if all were met. */
  List<String> unmet() {
    return kernels.stream().filter(k -> isName(k) && !met.contains(k)).toList();
  }

  /** The same as a message, or null. */
  String unmetMessage() {
    return unmet().isEmpty()
        ? null
        : trace + ": no kernel is named like " + String.join(" or ", unmet());
  }

  /** A collector as strict as the user wants. */
  Diagnostics diagnostics() {
    return strict ? Diagnostics.strict() : Diagnostics.lenient();
  }

  /** The launches that the user did not exclude by number. Names are checked by the caller. */
  List<TraceCommand.Launch> launches(TraceSet set) {
    List<TraceCommand.Launch> chosen = new ArrayList<>();
    for (TraceCommand command : set.commands()) {
      if (command instanceof TraceCommand.Launch launch && mayWant(launch.index() + 1)) {
        chosen.add(launch);
      }
    }
    return chosen;
  }

  private boolean mayWant(int number) {
    return kernels.isEmpty() || kernels.stream().anyMatch(k -> isName(k) || inRange(k, number));
  }

  /** Whether a kernel is wanted, by its launch number or its name. */
  boolean wants(int number, String name) {
    boolean wanted = kernels.isEmpty();
    for (String choice : kernels) {
      if (!isName(choice)) {
        wanted |= inRange(choice, number);
      } else if (name.contains(choice)) {
        met.add(choice);
        wanted = true;
      }
    }
    return wanted;
  }

  private boolean overlaps(String choice, int launches) {
    for (int number = 1; number <= launches; number++) {
      if (inRange(choice, number)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isName(String choice) {
    return !choice.matches("\\d{1,9}(-\\d{1,9})?");
  }

  private boolean inRange(String choice, int number) {
    String[] ends = choice.split("-");
    int first = Integer.parseInt(ends[0]);
    int last = Integer.parseInt(ends[ends.length - 1]);
    if (first < 1 || last < first) {
      throw new ParameterException(
          spec.commandLine(),
          "--kernel " + choice + ": kernels are numbered from 1, ranges go upwards");
    }
    return number >= first && number <= last;
  }

  /** Prints what was wrong with the trace, if anything. */
  static void printMessages(TraceSet set, PrintWriter err) {
    for (String message : set.diagnostics().messages()) {
      err.println("warning: " + message);
    }
  }
}
