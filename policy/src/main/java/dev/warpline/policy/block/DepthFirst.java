package dev.warpline.policy.block;

import dev.warpline.policy.BlockScheduler;
import dev.warpline.policy.Named;

/** Neighbouring blocks share an SM and its L1; a small grid leaves most SMs empty. */
@Named(value = "depth-first", about = "fills one SM before the next, group after group")
public final class DepthFirst implements BlockScheduler {
  private Sms sms;

  @Override
  public void begin(Sms sms, int places, long now) {
    this.sms = sms;
  }

  @Override
  public int choose(long now) {
    for (int[] group : sms.groups()) {
      for (int sm : group) {
        if (sms.hasRoom(sm)) {
          return sm;
        }
      }
    }
    return NONE;
  }
}
