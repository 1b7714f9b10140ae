package dev.warpline.policy.warp;

import dev.warpline.policy.Named;

/** GPGPU-Sim's old. */
@Named(value = "old", about = "the oldest warp")
public final class Oldest extends ByAge {
  @Override
  public int choose(long eligible, long held, long onMemory) {
    return oldest(eligible, Long.SIZE);
  }
}
