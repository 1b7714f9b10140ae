package dev.warpline.policy.warp;

import dev.warpline.policy.Named;

/** Warps of a scheduler advance together and end together. */
@Named(
    value = "least-recent",
    about = "the warp that issued last, then the one whose last turn is longest ago")
public final class LeastRecent extends ByTurn {
  @Override
  int behind(int warp) {
    return ENDS;
  }
}
