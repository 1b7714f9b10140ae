package dev.warpline.policy.block;

import dev.warpline.policy.BlockScheduler;
import dev.warpline.policy.Named;

/** A small grid uses the links of all GPCs. */
@Named(
    value = "breadth-first",
    about = "the next GPC (cluster, die) with room, and there the SM with the fewest blocks")
public final class BreadthFirst implements BlockScheduler {
  private Sms sms;
  private int last;
  private int looked;

  @Override
  public void begin(Sms sms, int places, long now) {
    this.sms = sms;
    last = sms.groups().length - 1;
  }

  @Override
  public int choose(long now) {
    int[][] groups = sms.groups();
    for (int i = 1; i <= groups.length; i++) {
      looked = (last + i) % groups.length;
      int sm = emptiest(groups[looked]);
      if (sm != NONE) {
        return sm;
      }
    }
    return NONE;
  }

  @Override
  public void given(int sm) {
    last = looked;
  }

  private int emptiest(int[] group) {
    int best = NONE;
    for (int sm : group) {
      if (sms.hasRoom(sm) && (best == NONE || sms.blocks(sm) < sms.blocks(best))) {
        best = sm;
      }
    }
    return best;
  }
}
