package dev.warpline.cli;

import dev.warpline.engine.RunResult;
import dev.warpline.web.report.Baseline;
import dev.warpline.web.report.RunComparison;
import java.io.PrintWriter;
import java.util.Locale;

/** The difference between two runs as a person reads it. */
final class WhatIfText {
  private static final int SHOWN = 5;

  private WhatIfText() {}

  /** What a run would be with other settings. */
  static void alternative(RunResult run, RunResult.Alternative alternative, PrintWriter out) {
    out.println();
    out.println("what if " + String.join(", ", alternative.settings()) + ":");
    print(run, alternative.result(), out);
  }

  /** What a run is against an earlier one. */
  static void baseline(Baseline baseline, RunResult run, PrintWriter out) {
    out.println();
    out.println("since " + baseline.title() + " (" + baseline.run().gpu() + "):");
    print(baseline.run(), run, out);
  }

  private static void print(RunResult first, RunResult second, PrintWriter out) {
    RunComparison comparison = RunComparison.of(first, second);
    comparison.unmatched().forEach(words -> out.println("  " + words));
    for (RunComparison.KernelPair kernel : comparison.kernels()) {
      change(
          "kernel " + kernel.id(),
          first,
          (long) kernel.cycles().first(),
          second,
          (long) kernel.cycles().second(),
          out);
      kernel.states().stream()
          .filter(state -> state.first() != state.second())
          .limit(SHOWN)
          .forEach(
              state ->
                  out.printf(
                      Locale.ROOT,
                      "    %-28s %,15.0f -> %,15.0f warp-cycles%n",
                      state.name(),
                      state.first(),
                      state.second()));
      if (kernel.matching() == null) {
        out.println("    no profile in one of them (--profile): instructions are not compared");
      } else if (kernel.matching().onlyFirst() + kernel.matching().onlySecond() > 0) {
        out.printf(
            "    %s; %d of the first and %d of the second have no counterpart%n",
            kernel.matching().how(), kernel.matching().onlyFirst(), kernel.matching().onlySecond());
      }
      kernel.lines().stream()
          .limit(SHOWN)
          .forEach(
              line ->
                  out.printf(
                      Locale.ROOT,
                      "    0x%04x %-21.21s %,15d -> %,15d warp-cycles%n",
                      line.pc(),
                      line.text(),
                      line.first(),
                      line.second()));
    }
    if (first.energy() != null && second.energy() != null) {
      out.printf(
          Locale.ROOT,
          "  energy  %.4g -> %.4g mJ (%+.1f %%), %.1f -> %.1f W, energy-delay %+.1f %%%n",
          1e3 * first.energy().joules(),
          1e3 * second.energy().joules(),
          100 * (second.energy().joules() / first.energy().joules() - 1),
          first.energy().watts(),
          second.energy().watts(),
          100 * (second.energy().energyDelay() / first.energy().energyDelay() - 1));
    }
    if (second.unfinished() != null) {
      out.println("  did not finish: " + second.unfinished());
    } else if (first.kernels().size() > 1) {
      change("program", first, first.cycles(), second, second.cycles(), out);
    }
  }

  /** Cycles and, because clocks may differ, time; the change is that of the time. */
  private static void change(
      String what, RunResult first, long before, RunResult second, long after, PrintWriter out) {
    double microsBefore = first.microseconds(before);
    double microsAfter = second.microseconds(after);
    out.printf(
        Locale.ROOT,
        "  %s  %,d -> %,d cycles, %.2f -> %.2f us (%+.1f %%)%n",
        what,
        before,
        after,
        microsBefore,
        microsAfter,
        microsBefore == 0 ? 0 : 100 * (microsAfter / microsBefore - 1));
  }
}
