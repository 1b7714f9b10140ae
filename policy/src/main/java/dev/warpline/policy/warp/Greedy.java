package dev.warpline.policy.warp;

/** Stays with the warp that issued last while it can. */
abstract class Greedy extends ByAge {
  private int last = NONE;

  @Override
  public final int choose(long eligible, long held, long onMemory) {
    return last != NONE && (eligible >>> last & 1) != 0 ? last : other(eligible);
  }

  /** The choice when the warp that issued last cannot. */
  abstract int other(long eligible);

  @Override
  public final int favourite() {
    return last;
  }

  @Override
  public void issued(int warp) {
    last = warp;
  }

  @Override
  public void left(int warp) {
    super.left(warp);
    if (last == warp) {
      last = NONE;
    }
  }
}
