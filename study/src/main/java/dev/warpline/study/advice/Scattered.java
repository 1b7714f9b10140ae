package dev.warpline.study.advice;

import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.LaneWork.Space;
import dev.warpline.engine.profile.StallReason;
import java.util.List;

/** Lanes of a global access touch more sectors than their bytes fill. */
final class Scattered implements AdviceRule {
  private static final double WORTH_SAYING = 0.05;
  private static final int SECTOR = 32;
  private static final int LANES = 32;

  @Override
  public String name() {
    return "scattered";
  }

  /** Sectors beyond what the lanes need concern the time that warps wait for data. */
  @Override
  public Finding look(KernelEvidence kernel) {
    List<Line> lines = kernel.most(line -> 2 * excess(line) > line.sectors() ? excess(line) : 0);
    double all =
        kernel.profile.lines().stream()
            .filter(line -> line.work().space() == Space.GLOBAL)
            .mapToLong(Line::sectors)
            .sum();
    double excess = lines.stream().mapToDouble(Scattered::excess).sum();
    double weight =
        all == 0
            ? 0
            : excess
                / all
                * Math.max(
                    kernel.part("L1 and shared path"),
                    kernel.share(
                        StallReason.L1_HIT,
                        StallReason.L1_MISS,
                        StallReason.L2_HIT,
                        StallReason.DRAM,
                        StallReason.DRAIN,
                        StallReason.GLOBAL_QUEUE));
    if (weight < WORTH_SAYING) {
      return null;
    }
    Line worst = lines.get(0);
    return new Finding(
        name(),
        weight,
        "Scattered accesses",
        Words.say(
            "%s touches %s sectors per request where %s would do%s; %s of all sectors asked of L1"
                + " are not needed.",
            KernelEvidence.name(worst),
            Words.number((double) worst.sectors() / worst.requests()),
            Words.number(needed(worst)),
            Words.others(lines.size()),
            Words.percent(excess / all)),
        "Let neighbouring lanes use neighbouring addresses.",
        "listing",
        KernelEvidence.pcs(lines),
        Relief.of("modern.ideal.coalesced=true"));
  }

  private static double excess(Line line) {
    boolean atomic = line.opcode().startsWith("ATOM") || line.opcode().startsWith("RED");
    return line.work().space() != Space.GLOBAL || line.requests() == 0 || atomic
        ? 0
        : line.sectors() - line.requests() * needed(line);
  }

  private static double needed(Line line) {
    double lanes = line.executed() == 0 ? LANES : (double) line.lanes() / line.executed();
    return Math.max(1, lanes * line.work().bytes() / SECTOR);
  }
}
