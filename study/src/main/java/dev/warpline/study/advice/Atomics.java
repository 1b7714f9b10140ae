package dev.warpline.study.advice;

import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.LaneWork.Space;
import dev.warpline.engine.profile.StallReason;
import java.util.List;

/** Atomics on global memory queue up at L2. */
final class Atomics implements AdviceRule {
  private static final double WORTH_SAYING = 0.1;

  @Override
  public String name() {
    return "atomics";
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    List<Line> lines = kernel.most(line -> isAtomic(line) ? line.lanes() : 0);
    double sectors =
        kernel.profile.lines().stream()
            .filter(line -> line.work().space() == Space.GLOBAL)
            .mapToLong(Line::sectors)
            .sum();
    double atomics = lines.stream().mapToLong(Line::sectors).sum();
    // Reductions make nobody wait, but fill the queues behind them, or go on when all warps ended.
    double after = 1 - kernel.longest() / kernel.cycles();
    double queues =
        Math.max(
            kernel.share(StallReason.DRAIN, StallReason.GLOBAL_QUEUE, StallReason.MEMBAR),
            after > 0.5 ? after : 0);
    double weight =
        kernel.share(StallReason.ATOMIC) + (sectors == 0 ? 0 : atomics / sectors * queues);
    if (lines.isEmpty() || weight < WORTH_SAYING) {
      return null;
    }
    Line worst = lines.get(0);
    return new Finding(
        name(),
        weight,
        "Atomics queue up at L2",
        Words.say(
            "%s asks L2 for %s updates%s; warps wait %s of their time for atomics and for room"
                + " behind them.",
            KernelEvidence.name(worst),
            Words.number(worst.lanes()),
            Words.others(lines.size()),
            Words.percent(weight)),
        "Add up in registers or shared memory first, and spread what is left over addresses.",
        "listing",
        KernelEvidence.pcs(lines),
        Relief.of("flowMemory.atomicWordCycles=0", "flowMemory.atomicFloatCycles=0"));
  }

  private static boolean isAtomic(Line line) {
    return line.work().space() == Space.GLOBAL
        && (line.opcode().startsWith("ATOM") || line.opcode().startsWith("RED"));
  }
}
