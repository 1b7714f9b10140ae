package dev.warpline.policy.warp;

import dev.warpline.policy.Named;
import dev.warpline.policy.WarpScheduler;

/** GPGPU-Sim's lrr. */
@Named(value = "lrr", about = "in turn, starting after the warp that issued last")
public final class LooseRoundRobin implements WarpScheduler {
  private int start;

  @Override
  public int choose(long eligible, long held, long onMemory) {
    // Shifting by 64 would shift by 0: start never exceeds 63.
    long after = eligible & -1L << start;
    return Long.numberOfTrailingZeros(after != 0 ? after : eligible);
  }

  @Override
  public void issued(int warp) {
    start = warp + 1 & 63;
  }
}
