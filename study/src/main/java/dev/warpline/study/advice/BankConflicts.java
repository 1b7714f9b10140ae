package dev.warpline.study.advice;

import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.LaneWork.Space;
import dev.warpline.engine.profile.StallReason;
import java.util.List;

/**
 * Accesses to shared memory take more passes than their width needs.
 *
 * @param atomics whether it is about atomics, which follow each other on a word, or all others
 */
record BankConflicts(boolean atomics) implements AdviceRule {
  private static final double WORTH_SAYING = 0.02;

  @Override
  public String name() {
    return atomics ? "shared-atomics" : "bank-conflicts";
  }

  /** Extra passes take time on the path that the memory instructions of an SM share. */
  @Override
  public Finding look(KernelEvidence kernel) {
    List<Line> lines =
        kernel.most(
            line -> mine(line) && 2 * line.conflicts() > line.requests() ? line.conflicts() : 0);
    double extra = lines.stream().mapToLong(Line::conflicts).sum();
    double passes =
        kernel.profile.lines().stream()
            .filter(line -> line.work().space() == Space.SHARED)
            .mapToLong(line -> line.requests() + line.conflicts())
            .sum();
    double ofPath = extra / (kernel.cycles() * Math.max(1, kernel.sms()));
    double ofWaits =
        passes == 0 ? 0 : extra / passes * kernel.share(StallReason.SHARED, StallReason.MIO_QUEUE);
    double weight = Math.min(1, Math.max(ofPath, ofWaits));
    if (lines.isEmpty() || weight < WORTH_SAYING) {
      return null;
    }
    Line worst = lines.get(0);
    return new Finding(
        name(),
        weight,
        atomics ? "Atomics on shared memory collide" : "Shared-memory bank conflicts",
        Words.say(
            "%s needs %s extra passes per request (%s in all)%s; extra passes take %s of the time"
                + " of the path to L1 and shared memory.",
            KernelEvidence.name(worst),
            Words.number((double) worst.conflicts() / worst.requests()),
            Words.number(worst.conflicts()),
            Words.others(lines.size()),
            Words.percent(ofPath)),
        atomics
            ? "Let lanes add up among themselves first (shuffles, match), or give each warp a copy."
            : "Pad rows by one word (by one access where it is wide) or change the layout.",
        "listing",
        KernelEvidence.pcs(lines),
        Relief.of("modern.ideal.banks=true"));
  }

  private boolean mine(Line line) {
    return line.work().space() == Space.SHARED && line.opcode().startsWith("ATOM") == atomics;
  }
}
