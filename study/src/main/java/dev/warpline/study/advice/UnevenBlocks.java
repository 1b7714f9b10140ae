package dev.warpline.study.advice;

import java.util.List;

/** SMs have as many blocks, but finish at different times. */
final class UnevenBlocks implements AdviceRule {
  private static final double WORTH_SAYING = 1.15;

  @Override
  public String name() {
    return "uneven-blocks";
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    double ratio = kernel.average() == 0 ? 1 : kernel.longest() / kernel.average();
    if (ratio < WORTH_SAYING || kernel.mostWarps() > WORTH_SAYING * kernel.meanWarps()) {
      return null;
    }
    return new Finding(
        name(),
        1 - 1 / ratio,
        "Blocks take different times",
        Words.say(
            "The busiest SM works %s times as long as the average one with as many blocks.",
            Words.number(ratio)),
        "Make blocks alike, or let many small ones follow each other, the long ones first.",
        "balance",
        List.of(),
        Relief.NONE);
  }
}
