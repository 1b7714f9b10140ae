package dev.warpline.cli;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.FollowedLine;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.isa.Demangler;
import java.io.PrintWriter;
import java.util.Map;

/** The way of requests for one line as text: an access, and where it was when. */
final class FollowText {
  private FollowText() {}

  static void print(RunResult result, String window, PrintWriter out) {
    for (KernelResult kernel : result.kernels()) {
      if (kernel.profile() != null && kernel.profile().followed() != null) {
        print(kernel, window, out);
      }
    }
  }

  private static void print(KernelResult kernel, String window, PrintWriter out) {
    FollowedLine followed = kernel.profile().followed();
    int all = followed.accesses().size() + followed.leftOut();
    out.printf(
        "kernel %d, %s: %,d %s to line 0x%x in cycles %s%n",
        kernel.id(),
        Demangler.demangle(kernel.name()),
        all,
        all == 1 ? "access" : "accesses",
        followed.line(),
        window);
    Map<Integer, KernelProfile.Line> lines = kernel.profile().linesByRow();
    for (FollowedLine.Access access : followed.accesses()) {
      out.printf("%8d %s%n", access.issued(), who(access, lines.get(access.row())));
      for (FollowedLine.Step step : access.steps()) {
        out.printf("%12d %6d  %s%n", step.from(), step.until() - step.from(), step.where());
      }
    }
    if (followed.leftOut() > 0) {
      out.printf(
          "         %,d more are not shown, %,d is the most: choose a smaller --window%n",
          followed.leftOut(), FollowedLine.MOST);
    }
    out.println();
  }

  private static String who(FollowedLine.Access access, KernelProfile.Line line) {
    StringBuilder sectors = new StringBuilder("sectors");
    for (int sector = 0; sector < 4; sector++) {
      sectors.append((access.sectors() >> sector & 1) == 0 ? "" : " " + sector);
    }
    String from =
        access.sm() < 0
            ? access.what()
            : access.warp() < 0
                ? "SM " + access.sm() + " copy engine"
                : "SM " + access.sm() + " warp " + access.warp();
    String instruction = line == null ? "" : String.format(" %04x %s", line.pc(), line.text());
    String l1 = access.l1().equals("-") ? "" : ", L1 " + access.l1();
    return from
        + instruction
        + ": "
        + sectors
        + l1
        + ", "
        + (access.done() - access.issued())
        + " cycles";
  }
}
