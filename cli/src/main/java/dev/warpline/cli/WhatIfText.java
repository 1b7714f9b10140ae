package dev.warpline.cli;

import dev.warpline.web.report.Comparison;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The difference between two runs as a person reads it. */
final class WhatIfText {
  private static final int SHOWN = 5;

  private WhatIfText() {}

  static void print(Comparison comparison, List<String> settings, PrintWriter out) {
    out.println();
    out.println("what if " + String.join(", ", settings) + ":");
    for (Comparison.KernelPair kernel : comparison.kernels()) {
      double before = kernel.cycles().first();
      double after = kernel.cycles().second();
      out.printf(
          Locale.ROOT,
          "  kernel %d  %,.0f -> %,.0f cycles (%+.1f %%)%n",
          kernel.id(),
          before,
          after,
          before == 0 ? 0 : 100 * (after / before - 1));
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
  }
}
