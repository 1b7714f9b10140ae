package dev.warpline.policy.warp;

import dev.warpline.policy.Named;

/** The modern core's order as published for Ampere, CGGTY. */
@Named(value = "youngest", about = "the warp that issued last, then the one that came last")
public final class GreedyThenYoungest extends Greedy {
  @Override
  int other(long eligible) {
    for (int i = count - 1; i >= 0; i--) {
      if ((eligible >>> warps[i] & 1) != 0) {
        return warps[i];
      }
    }
    return NONE;
  }
}
