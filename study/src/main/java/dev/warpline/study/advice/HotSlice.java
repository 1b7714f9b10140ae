package dev.warpline.study.advice;

import dev.warpline.engine.profile.KernelProfile.Traffic;
import java.util.List;

/** Some L2 slices serve more than others. */
final class HotSlice implements AdviceRule {
  private static final double UNEVEN = 1.5;
  private static final double FEW = 100;

  @Override
  public String name() {
    return "uneven-slices";
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    List<Traffic> slices = kernel.profile.slices();
    double most = slices.stream().mapToLong(Traffic::first).max().orElse(0);
    double mean = slices.stream().mapToLong(Traffic::first).average().orElse(0);
    if (mean < FEW || most < UNEVEN * mean) {
      return null;
    }
    return new Finding(
        name(),
        0.3 * (1 - mean / most),
        "L2 slices are not used evenly",
        Words.say("The busiest slice serves %s times the average.", Words.number(most / mean)),
        "Addresses a large power of two apart share a slice; change the stride.",
        "balance",
        List.of(),
        AdviceRules.L2);
  }
}
