package dev.warpline.cli;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.isa.Demangler;
import dev.warpline.study.advice.Finding;
import dev.warpline.study.advice.Findings;
import java.io.PrintWriter;
import java.util.Locale;

/** What there is to say of the kernels of a run, as a person reads it. */
final class AdviceText {
  /** Findings printed of a kernel. */
  private static final int MOST = 6;

  private AdviceText() {}

  static void print(RunResult run, PrintWriter out) {
    for (KernelResult kernel : run.kernels()) {
      out.println();
      out.printf("advice for kernel %d  %s%n", kernel.id(), Demangler.demangle(kernel.name()));
      Findings.of(run, kernel).stream().limit(MOST).forEach(finding -> print(finding, out));
    }
    if (!run.core().equals("modern")) {
      out.println("no gains: causes can be taken away on the modern core only");
    }
  }

  private static void print(Finding finding, PrintWriter out) {
    out.printf("  %-8s%s%n", gain(finding), finding.title());
    out.printf("          %s%n", finding.text());
    if (!finding.advice().isEmpty()) {
      out.printf("          %s%n", finding.advice());
    }
    if (finding.relief().exists()) {
      out.printf("          --what-if %s%n", String.join(",", finding.relief().settings()));
    }
  }

  private static String gain(Finding finding) {
    return finding.gain() == null
        ? "-"
        : String.format(Locale.ROOT, "%.1f %%", 100 * finding.gain());
  }
}
