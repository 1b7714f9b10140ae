package dev.warpline.study.advice;

import java.util.List;

/** Some SMs get more blocks than others. */
final class Waves implements AdviceRule {
  private static final double WORTH_SAYING = 1.15;

  @Override
  public String name() {
    return "waves";
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    double most = kernel.mostWarps();
    double mean = kernel.meanWarps();
    int perBlock = kernel.profile.launch().warpsPerBlock();
    boolean allBusy = kernel.profile.sms().stream().allMatch(sm -> sm.warps() > 0);
    if (!allBusy || perBlock == 0 || most < WORTH_SAYING * mean) {
      return null;
    }
    long blocksOfBusiest = Math.round(most / perBlock);
    long sms = Math.max(1, Math.round((double) kernel.blocks() / blocksOfBusiest));
    double waves = (double) kernel.blocks() / Math.max(1, kernel.resident() * kernel.sms());
    return new Finding(
        name(),
        1 - mean / most,
        "The last wave is not full",
        Words.say(
            "%d blocks on %d SMs: the busiest SM gets %d, the average %s (%s times as many);"
                + " %s waves of %d resident blocks per SM.",
            kernel.blocks(),
            kernel.sms(),
            blocksOfBusiest,
            Words.number(mean / perBlock),
            Words.number(most / mean),
            Words.number(waves),
            kernel.resident()),
        Words.say("Launch a multiple of %d blocks, or many more and smaller ones.", kernel.sms()),
        "balance",
        List.of(),
        Relief.onFewerSms(sms, kernel));
  }
}
