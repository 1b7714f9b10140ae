package dev.warpline.study.advice;

import dev.warpline.engine.profile.KernelProfile.Line;
import java.util.Comparator;
import java.util.List;

/** Lanes of a warp go different ways, and some of them idle. */
final class Divergence implements AdviceRule {
  /** Lanes that idle on average before it is worth words. */
  private static final double WORTH_SAYING = 0.15;

  @Override
  public String name() {
    return "divergence";
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    double full = kernel.profile.lines().stream().mapToDouble(Divergence::lanes).max().orElse(0);
    double executed = kernel.profile.lines().stream().mapToLong(Line::executed).sum();
    double idle =
        kernel.profile.lines().stream()
            .filter(line -> !line.text().startsWith("@"))
            .mapToDouble(line -> line.executed() * (full - lanes(line)))
            .sum();
    double weight = executed == 0 || full == 0 ? 0 : idle / executed / full;
    if (weight < WORTH_SAYING) {
      return null;
    }
    List<Line> lines =
        kernel.most(
            line -> line.text().startsWith("@") ? 0 : line.warpCycles() * (full - lanes(line)));
    Line worst = lines.get(0);
    Line branch = branchBefore(kernel, worst);
    return new Finding(
        name(),
        weight,
        "Lanes go different ways",
        Words.say(
            "%s of %d lanes are active on average; at %s, where it costs most, %s are%s.",
            Words.number(full * (1 - weight)),
            Math.round(full),
            KernelEvidence.name(worst),
            Words.number(lanes(worst)),
            branch == null ? "" : ", after the branch at " + Words.hex(branch.pc())),
        "Let threads of a warp take the same path: sort the work, or make loops of one length.",
        "listing",
        KernelEvidence.pcs(lines),
        Relief.of("modern.ideal.lanes=true"));
  }

  private static double lanes(Line line) {
    return line.executed() == 0 ? 0 : (double) line.lanes() / line.executed();
  }

  private static Line branchBefore(KernelEvidence kernel, Line line) {
    return kernel.profile.lines().stream()
        .filter(other -> other.pc() < line.pc() && other.opcode().startsWith("BRA"))
        .max(Comparator.comparingInt(Line::pc))
        .orElse(null);
  }
}
