package dev.warpline.policy.warp;

import dev.warpline.policy.LowestBit;
import dev.warpline.policy.Named;
import dev.warpline.policy.WarpScheduler;

/** GPGPU-Sim's rrr. */
@Named(value = "rrr", about = "one warp until it issued or is held, then the next that is not held")
public final class StrictRoundRobin implements WarpScheduler {
  private long warps;
  private int current;

  @Override
  public void begin(long warps) {
    this.warps = warps;
    current = LowestBit.of(warps);
  }

  @Override
  public int choose(long eligible, long held, long onMemory) {
    if ((held >>> current & 1) != 0) {
      current = next(held);
    }
    return (eligible >>> current & 1) != 0 ? current : NONE;
  }

  @Override
  public boolean looksAtHeld() {
    return true;
  }

  @Override
  public void issued(int warp) {
    current = next(0);
  }

  private int next(long held) {
    long free = warps & ~held;
    long others = free == 0 ? warps : free;
    long after = current == 63 ? 0 : others & -1L << current + 1;
    return LowestBit.of(after != 0 ? after : others);
  }
}
