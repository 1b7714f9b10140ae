package dev.warpline.study.advice;

import java.util.List;

/** There are fewer blocks than SMs. */
final class IdleSms implements AdviceRule {
  @Override
  public String name() {
    return "idle-sms";
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    long busy = kernel.profile.sms().stream().filter(sm -> sm.warps() > 0).count();
    if (busy == 0 || busy >= kernel.sms()) {
      return null;
    }
    double share = (double) busy / kernel.sms();
    return new Finding(
        name(),
        1 - share,
        "Not every SM has work",
        Words.say("%d of %d SMs got one of the %d blocks.", busy, kernel.sms(), kernel.blocks()),
        "Launch more blocks: smaller ones, or more work.",
        "balance",
        List.of(),
        Relief.onFewerSms(busy, kernel));
  }
}
