package dev.warpline.study.advice;

import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.StallReason;
import java.util.Comparator;
import java.util.List;

/**
 * Warps wait for something.
 *
 * @param reasons what they wait for
 * @param advice what to change
 * @param relief how nobody has to wait for it
 */
record WaitRule(String name, List<StallReason> reasons, String advice, Relief relief)
    implements AdviceRule {
  /** Less of the warps' time is not worth words, unless there is nothing else. */
  private static final double WORTH_SAYING = 0.15;

  @Override
  public Finding look(KernelEvidence kernel) {
    return kernel.share(reasons) < WORTH_SAYING ? null : describe(kernel);
  }

  /** How it looks, however little it is. */
  Finding describe(KernelEvidence kernel) {
    StallReason top = reasons.stream().max(Comparator.comparingDouble(kernel::share)).orElseThrow();
    List<Line> lines = kernel.most(line -> KernelEvidence.waits(line, reasons));
    StringBuilder text = new StringBuilder(waits(kernel, top));
    if (!lines.isEmpty()) {
      Line hot = lines.get(0);
      double all = lines.stream().mapToDouble(line -> KernelEvidence.waits(line, reasons)).sum();
      text.append(
          Words.say(
              " The line that waits longest is %s (%s of that time)",
              KernelEvidence.name(hot), Words.percent(KernelEvidence.waits(hot, reasons) / all)));
      String sources = kernel.sources(hot);
      text.append(sources.isEmpty() ? "." : ", for " + sources + ".");
    }
    return new Finding(
        name,
        kernel.share(reasons),
        "Warps wait: " + Words.lower(top.label()),
        text.toString(),
        advice,
        "listing",
        KernelEvidence.pcs(lines),
        relief);
  }

  /** The share of the warps' time, in words. */
  String waits(KernelEvidence kernel, StallReason top) {
    return Words.say(
        "Warps spend %s of their time in \u201c%s\u201d (%s)%s.",
        Words.percent(kernel.share(top)),
        Words.lower(top.label()),
        kernel.profilers(top),
        kernel.share(reasons) < 1.1 * kernel.share(top)
            ? ""
            : Words.say(", %s with what is alike", Words.percent(kernel.share(reasons))));
  }
}
