package dev.warpline.cli;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.SourceFile;
import dev.warpline.engine.profile.SourceCost;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.Demangler;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The source lines that cost most, as a person reads them. */
final class LinesText {
  private LinesText() {}

  static void print(RunResult run, int most, PrintWriter out) {
    for (KernelResult kernel : run.kernels()) {
      List<SourceCost> costs =
          kernel.profile() == null ? List.of() : SourceCost.of(kernel.profile());
      out.println();
      out.printf("lines of kernel %d  %s%n", kernel.id(), Demangler.demangle(kernel.name()));
      if (costs.isEmpty()) {
        out.println(
            "  no line information: compile with nvcc -lineinfo and keep the cubin beside the"
                + " trace, or trace with TRACE_LINEINFO=1");
        continue;
      }
      double all = Math.max(1, kernel.profile().warpCycles());
      out.printf("  %6s  %12s  %10s  %-24s  %s%n", "time", "executed", "sectors", "waits", "line");
      for (SourceCost cost : costs.subList(0, Math.min(most, costs.size()))) {
        StallReason mostly = cost.mostly();
        out.printf(
            Locale.ROOT,
            "  %5.1f%%  %,12d  %,10d  %-24s  %s%n",
            100 * cost.warpCycles() / all,
            cost.executed(),
            cost.sectors(),
            mostly == null ? "" : mostly.label(),
            place(cost) + text(run.sources(), cost));
      }
    }
    for (SourceFile file : run.sources()) {
      if (file.problem() != null) {
        out.println("  " + file.path() + ": " + file.problem());
      }
    }
  }

  private static String place(SourceCost cost) {
    String file = cost.file() == null ? "line" : cost.file();
    return file.substring(file.lastIndexOf('/') + 1) + ":" + cost.line();
  }

  private static String text(List<SourceFile> sources, SourceCost cost) {
    for (SourceFile file : sources) {
      if (file.path().equals(cost.file()) && file.lines().containsKey(cost.line())) {
        return "  " + file.lines().get(cost.line()).strip();
      }
    }
    return "";
  }
}
