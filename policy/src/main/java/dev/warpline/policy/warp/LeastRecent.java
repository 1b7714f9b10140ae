package dev.warpline.policy.warp;

import dev.warpline.policy.Named;

/** Warps of a scheduler advance together and end together, as the H200's do. */
@Named(
    value = "least-recent",
    about = "the warp that issued last, then the one whose last turn is longest ago")
public final class LeastRecent extends Greedy {
  @Override
  int other(long eligible) {
    return oldest(eligible, Long.SIZE);
  }

  @Override
  public void issued(int warp) {
    // Staying with a warp is no new turn.
    if (warp != favourite()) {
      for (int at = indexOf(warp); at < count - 1; at++) {
        warps[at] = warps[at + 1];
      }
      warps[count - 1] = warp;
    }
    super.issued(warp);
  }
}
