package dev.warpline.study.advice;

import java.util.List;

/** The kernel is over before its launch has paid. */
final class LaunchOverhead implements AdviceRule {
  private static final double WORTH_SAYING = 0.2;

  @Override
  public String name() {
    return "launch";
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    double idle = 1 - kernel.longest() / kernel.cycles();
    if (idle < WORTH_SAYING) {
      return null;
    }
    return new Finding(
        name(),
        idle,
        "Launch and drain weigh",
        Words.say(
            "No SM works for more than %s of %s cycles; the rest is launch and drain.",
            Words.number(kernel.longest()), Words.number(kernel.cycles())),
        "More work per launch: fuse kernels, or let one launch do several steps.",
        "time",
        List.of(),
        Relief.of("modern.launch.kernelCycles=0", "modern.launch.drainCycles=0"));
  }
}
