package dev.warpline.policy.block;

import dev.warpline.policy.BlockScheduler;
import dev.warpline.policy.Named;

/** Blocks go around the SMs by their numbers. */
@Named(value = "round-robin", about = "the next SM with room after the one that got the last block")
public final class RoundRobin implements BlockScheduler {
  private Sms sms;
  private int count;
  private int last;

  @Override
  public void begin(Sms sms, int places, long now) {
    this.sms = sms;
    count = 0;
    for (int[] group : sms.groups()) {
      count += group.length;
    }
    last = count - 1;
  }

  @Override
  public int choose(long now) {
    for (int i = 1; i <= count; i++) {
      int sm = (last + i) % count;
      if (sms.hasRoom(sm)) {
        return sm;
      }
    }
    return NONE;
  }

  @Override
  public void given(int sm) {
    last = sm;
  }
}
