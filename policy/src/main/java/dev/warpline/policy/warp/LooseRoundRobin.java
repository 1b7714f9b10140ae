package dev.warpline.policy.warp;

import dev.warpline.policy.LowestBit;
import dev.warpline.policy.Named;
import dev.warpline.policy.WarpScheduler;

/** GPGPU-Sim's lrr. */
@Named(value = "lrr", about = "in turn, starting after the warp that issued last")
public final class LooseRoundRobin implements WarpScheduler {
  private int start;

  /** The one that issued last, whatever its number. */
  private int last = NONE;

  @Override
  public int choose(long eligible, long held, long onMemory) {
    // Shifting by 64 would shift by 0: start never exceeds 63.
    long after = eligible & -1L << start;
    return LowestBit.of(after != 0 ? after : eligible);
  }

  @Override
  public boolean choosesOfMany() {
    return true;
  }

  @Override
  public int chooseOfMany(long[] eligible) {
    int next = next(eligible, last + 1);
    return next == NONE ? next(eligible, 0) : next;
  }

  private static int next(long[] eligible, int from) {
    for (int word = from / Long.SIZE; word < eligible.length; word++) {
      // The shift counts by the low six bits.
      long rest = word == from / Long.SIZE ? eligible[word] & -1L << from : eligible[word];
      if (rest != 0) {
        return word * Long.SIZE + LowestBit.of(rest);
      }
    }
    return NONE;
  }

  @Override
  public void issued(int warp) {
    start = warp + 1 & 63;
    last = warp;
  }
}
