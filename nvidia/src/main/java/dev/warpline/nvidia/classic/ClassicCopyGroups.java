package dev.warpline.nvidia.classic;

import java.util.Arrays;

/** Groups of asynchronous copies (LDGSTS, LDGDEPBAR, DEPBAR) of the warps of an SM. */
final class ClassicCopyGroups {
  private static final int DEPTH = 64;
  private static final int NO_WAIT = Integer.MAX_VALUE;

  private final ClassicWarps warps;

  /** Copies under way per warp and group, a ring. */
  private final int[] pending;

  /** Number of the group that is being filled. */
  private final int[] open;

  /** Oldest group that may have copies under way. */
  private final int[] oldest;

  /** The warp waits until all groups before this one are done. */
  private final int[] waitBefore;

  ClassicCopyGroups(int slots, ClassicWarps warps) {
    this.warps = warps;
    pending = new int[slots * DEPTH];
    open = new int[slots];
    oldest = new int[slots];
    waitBefore = new int[slots];
    Arrays.fill(waitBefore, NO_WAIT);
  }

  void launch(int warp) {
    Arrays.fill(pending, warp * DEPTH, (warp + 1) * DEPTH, 0);
    open[warp] = 0;
    oldest[warp] = 0;
    waitBefore[warp] = NO_WAIT;
  }

  /** A copy is issued; returns its group. */
  int add(int warp) {
    pending[warp * DEPTH + open[warp] % DEPTH]++;
    return open[warp];
  }

  /** Closes the group being filled. */
  void commit(int warp) {
    if (open[warp] + 1 - oldest[warp] < DEPTH) {
      open[warp]++;
    }
  }

  /** The warp waits until all but the youngest {@code allowed} closed groups are done. */
  void await(int warp, int allowed) {
    waitBefore[warp] = open[warp] - allowed;
    settle(warp);
    if (waitBefore[warp] != NO_WAIT) {
      warps.waitsForGroup |= 1L << warp;
    }
  }

  /** A copy is done. */
  void done(int warp, int group) {
    pending[warp * DEPTH + group % DEPTH]--;
    settle(warp);
  }

  private void settle(int warp) {
    while (oldest[warp] < open[warp] && pending[warp * DEPTH + oldest[warp] % DEPTH] == 0) {
      oldest[warp]++;
    }
    if (waitBefore[warp] != NO_WAIT && oldest[warp] >= waitBefore[warp]) {
      waitBefore[warp] = NO_WAIT;
      warps.waitsForGroup &= ~(1L << warp);
    }
  }
}
