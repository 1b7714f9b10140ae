package dev.warpline.policy.warp;

import dev.warpline.policy.Named;

/** GPGPU-Sim's two_level_active. */
@Named(
    value = "two-level",
    about =
        "N active warps in loose round robin; one that waits long makes room for a pending one:"
            + " two-level:N")
public final class TwoLevel extends ByAge {
  private int active;
  private int start;

  @Override
  public void configure(int... numbers) {
    if (numbers.length != 1 || numbers[0] < 1) {
      throw new IllegalArgumentException("expected how many warps are active, as two-level:8");
    }
    active = numbers[0];
  }

  @Override
  public int choose(long eligible, long held, long onMemory) {
    // The first entries are active, the rest is the pending queue.
    int now = Math.min(active, count);
    for (int i = 0; i < now && count > active; i++) {
      int warp = warps[i];
      if (((held | onMemory) >>> warp & 1) != 0) {
        warps[i] = warps[active];
        System.arraycopy(warps, active + 1, warps, active, count - active - 1);
        warps[count - 1] = warp;
      }
    }
    for (int i = 0; i < now; i++) {
      int at = (start + i) % now;
      if ((eligible >>> warps[at] & 1) != 0) {
        return warps[at];
      }
    }
    return NONE;
  }

  @Override
  public void issued(int warp) {
    start = indexOf(warp) + 1;
  }

  @Override
  public boolean looksAtHeld() {
    return true;
  }

  @Override
  public boolean looksAtMemory() {
    return true;
  }
}
