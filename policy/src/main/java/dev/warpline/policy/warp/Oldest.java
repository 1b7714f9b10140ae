package dev.warpline.policy.warp;

import dev.warpline.policy.LowestBit;
import dev.warpline.policy.Named;

/** GPGPU-Sim's old. */
@Named(value = "old", about = "the oldest warp")
public final class Oldest extends ByAge {
  @Override
  public int choose(long eligible, long held, long onMemory) {
    // Most often there is nothing to choose.
    return (eligible & eligible - 1) == 0 ? LowestBit.of(eligible) : oldest(eligible, Long.SIZE);
  }

  @Override
  public boolean choosesOfMany() {
    return true;
  }

  @Override
  public int chooseOfMany(long[] eligible) {
    for (int i = 0; i < count; i++) {
      if ((eligible[warps[i] / Long.SIZE] >>> warps[i] & 1) != 0) {
        return warps[i];
      }
    }
    return NONE;
  }
}
