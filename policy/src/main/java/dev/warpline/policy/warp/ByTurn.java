package dev.warpline.policy.warp;

/** Keeps its warps in a list, the one that is next first. */
abstract class ByTurn extends Greedy {
  /** Before the first and behind the last of the list. */
  static final int ENDS = Long.SIZE;

  private final int[] next = new int[ENDS + 1];
  private final int[] previous = new int[ENDS + 1];

  ByTurn() {
    next[ENDS] = ENDS;
    previous[ENDS] = ENDS;
  }

  /** In front of whom a warp stands after its turn; {@link #ENDS} behind all. */
  abstract int behind(int warp);

  /** The one after a warp, {@link #ENDS} after the last. */
  final int after(int warp) {
    return next[warp];
  }

  private void insert(int warp, int before) {
    int last = previous[before];
    next[last] = warp;
    previous[warp] = last;
    next[warp] = before;
    previous[before] = warp;
  }

  private void unlink(int warp) {
    next[previous[warp]] = next[warp];
    previous[next[warp]] = previous[warp];
  }

  @Override
  public void arrived(int warp) {
    super.arrived(warp);
    insert(warp, ENDS);
  }

  @Override
  public void left(int warp) {
    super.left(warp);
    unlink(warp);
  }

  @Override
  int other(long eligible) {
    if ((eligible & eligible - 1) == 0) {
      return Long.numberOfTrailingZeros(eligible);
    }
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
      int before = behind(warp);
      unlink(warp);
      insert(warp, before);
      super.issued(warp);
    }
  }
}
