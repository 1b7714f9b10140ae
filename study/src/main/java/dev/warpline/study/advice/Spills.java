package dev.warpline.study.advice;

import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.LaneWork.Space;
import java.util.List;

/** Registers or arrays that are indexed lie in local memory. */
final class Spills implements AdviceRule {
  private static final double WORTH_SAYING = 0.03;

  @Override
  public String name() {
    return "local-memory";
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    List<Line> lines =
        kernel.most(line -> line.work().space() == Space.LOCAL ? line.executed() : 0);
    double executed = kernel.profile.lines().stream().mapToLong(Line::executed).sum();
    double accesses = lines.stream().mapToLong(Line::executed).sum();
    double share = executed == 0 ? 0 : accesses / executed;
    if (share < WORTH_SAYING) {
      return null;
    }
    double sectors = lines.stream().mapToLong(Line::sectors).sum();
    double all = kernel.profile.lines().stream().mapToLong(Line::sectors).sum();
    double waits = kernel.share(AdviceRules.WAITS.get(0).reasons());
    double weight = Math.min(1, share + (all == 0 ? 0 : waits * sectors / all));
    double hits = lines.stream().mapToLong(Line::l1Hits).sum();
    int most = kernel.profile.lines().stream().mapToInt(line -> line.code().live()).max().orElse(0);
    return new Finding(
        name(),
        weight,
        "Values live in local memory",
        Words.say(
            "%s of all instructions read or write local memory (%s most, %d lines); L1 has %s of"
                + " the %s sectors. %d registers a thread, at most %d live.",
            Words.percent(share),
            KernelEvidence.name(lines.get(0)),
            lines.size(),
            Words.percent(sectors == 0 ? 1 : hits / sectors),
            Words.number(sectors),
            kernel.profile.launch().registers(),
            most),
        "Allow more registers (launch bounds, -maxrregcount), or index arrays by constants.",
        "listing",
        KernelEvidence.pcs(lines),
        Relief.of("modern.ideal.registers=true"));
  }
}
