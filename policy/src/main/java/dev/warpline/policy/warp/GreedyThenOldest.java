package dev.warpline.policy.warp;

import dev.warpline.policy.Named;

/** GPGPU-Sim's gto. */
@Named(value = "gto", about = "the warp that issued last, then the oldest")
public final class GreedyThenOldest extends Greedy {
  @Override
  int other(long eligible) {
    return oldest(eligible, Long.SIZE);
  }
}
