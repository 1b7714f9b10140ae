package dev.warpline.study.advice;

import dev.warpline.engine.profile.StallReason;
import java.util.List;

/** Every SM has work, but the grid ends before the SMs are full. */
final class FewBlocks implements AdviceRule {
  private static final double WORTH_SAYING = 0.1;

  @Override
  public String name() {
    return "few-blocks";
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    boolean allBusy = kernel.profile.sms().stream().allMatch(sm -> sm.warps() > 0);
    int resident = kernel.resident();
    if (!allBusy || resident == 0 || !kernel.kernel.limiter().equals("grid")) {
      return null;
    }
    double filled = (double) kernel.blocks() / ((double) resident * kernel.sms());
    double issue = kernel.part("Issue");
    double weight = (1 - filled) * (1 - issue) * 0.5;
    long sms = Math.max(1, Math.round((double) kernel.blocks() / resident));
    if (weight < WORTH_SAYING || sms >= kernel.sms()) {
      return null;
    }
    return new Finding(
        name(),
        weight,
        "The grid does not fill the SMs",
        Words.say(
            "An SM has room for %d blocks and gets %s; %s of the warp slots are filled, and warps"
                + " issue in %s of their time.",
            resident,
            Words.number((double) kernel.blocks() / kernel.sms()),
            Words.percent(kernel.kernel.occupancy()),
            Words.percent(kernel.share(StallReason.SELECTED))),
        "Launch more blocks: the same work in smaller pieces, or more work at once.",
        "occupancy",
        List.of(),
        Relief.onFewerSms(sms, kernel));
  }
}
