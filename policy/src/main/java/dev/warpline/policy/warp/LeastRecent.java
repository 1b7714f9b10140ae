package dev.warpline.policy.warp;

import dev.warpline.policy.Named;

/** Warps of a scheduler advance together and end together, as the H200's do. */
@Named(
    value = "least-recent",
    about = "the warp that issued last, then the one whose last turn is longest ago")
public final class LeastRecent extends Greedy {
  /** Before the first and behind the last of the list. */
  private static final int ENDS = Long.SIZE;

  /** A list of the warps by their last turns, the one longest ago first; coming counts as one. */
  private final int[] next = new int[ENDS + 1];

  private final int[] previous = new int[ENDS + 1];

  public LeastRecent() {
    next[ENDS] = ENDS;
    previous[ENDS] = ENDS;
  }

  @Override
  public void arrived(int warp) {
    super.arrived(warp);
    append(warp);
  }

  @Override
  public void left(int warp) {
    super.left(warp);
    unlink(warp);
  }

  private void append(int warp) {
    int last = previous[ENDS];
    next[last] = warp;
    previous[warp] = last;
    next[warp] = ENDS;
    previous[ENDS] = warp;
  }

  private void unlink(int warp) {
    next[previous[warp]] = next[warp];
    previous[next[warp]] = previous[warp];
  }

  @Override
  int other(long eligible) {
    int warp = next[ENDS];
    while (warp != ENDS && (eligible >>> warp & 1) == 0) {
      warp = next[warp];
    }
    return warp == ENDS ? NONE : warp;
  }

  @Override
  public void issued(int warp) {
    // Staying with a warp is no new turn.
    if (warp != favourite()) {
      unlink(warp);
      append(warp);
      super.issued(warp);
    }
  }
}
