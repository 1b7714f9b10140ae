package dev.warpline.policy.warp;

import dev.warpline.policy.Named;

/** Warps of a scheduler advance together and end together, as the H200's do. */
@Named(
    value = "least-recent",
    about = "the warp that issued last, then the one whose last turn is longest ago")
public final class LeastRecent extends Greedy {
  /** By warp: number of its last turn; coming counts as one. */
  private final long[] turn = new long[Long.SIZE];

  private long turns;

  @Override
  public void arrived(int warp) {
    super.arrived(warp);
    turn[warp] = ++turns;
  }

  @Override
  int other(long eligible) {
    int chosen = NONE;
    long least = Long.MAX_VALUE;
    for (long m = eligible; m != 0; m &= m - 1) {
      int warp = Long.numberOfTrailingZeros(m);
      if (turn[warp] < least) {
        least = turn[warp];
        chosen = warp;
      }
    }
    return chosen;
  }

  @Override
  public void issued(int warp) {
    // Staying with a warp is no new turn.
    if (warp != favourite()) {
      turn[warp] = ++turns;
      super.issued(warp);
    }
  }
}
