package dev.warpline.study.advice;

import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.KernelProfile.Throughput;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * A part of the machine works near its peak.
 *
 * @param part its name among the throughputs of a profile
 * @param advice what to change
 * @param relief how it becomes wider
 * @param load what of the part a line takes
 */
record PartRule(String name, String part, String advice, Relief relief, ToDoubleFunction<Line> load)
    implements AdviceRule {
  /** A part this near to its peak is what limits the kernel. */
  static final double BOUND = 0.6;

  /** Device memory loses time to rows, refreshes and turns, so that it matters before. */
  private static final double BUSY = 0.35;

  /** A part that executes the instructions of some pipes. */
  static PartRule unit(String part, Relief relief, String advice, String... pipes) {
    Set<String> its = Set.of(pipes);
    return new PartRule(
        "unit-" + part.toLowerCase(java.util.Locale.ROOT),
        part,
        advice,
        relief,
        line -> its.contains(line.code().pipe()) ? line.executed() : 0);
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    Throughput busy = kernel.busiest(t -> t.part().equals(part));
    double share = kernel.share(busy);
    if (share < (part.equals("DRAM") ? BUSY : BOUND)) {
      return null;
    }
    List<Line> lines = kernel.most(load);
    String text =
        Words.say(
            "The %s works at %s of its peak (%s of %s %s per cycle)%s.",
            words(busy),
            Words.percent(share),
            Words.number(busy.done() / kernel.cycles()),
            Words.number(busy.peakPerCycle()),
            busy.unit(),
            lines.isEmpty() ? "" : ", most of it for " + KernelEvidence.name(lines.get(0)));
    return new Finding(
        name,
        share,
        (share < BOUND ? "Not far from the " : "Limited by the ") + words(busy),
        text,
        advice,
        "speed",
        KernelEvidence.pcs(lines),
        relief);
  }

  /** A part as a sentence wants it: units are called units, bandwidths bandwidths. */
  private static String words(Throughput part) {
    return switch (part.unit()) {
      case "bytes" -> part.part() + " bandwidth";
      case "instructions" -> Words.lower(part.part()) + " rate";
      default -> part.part().contains(" ") ? part.part() : part.part() + " unit";
    };
  }
}
