package dev.warpline.nvidia.classic;

/**
 * Barriers of the blocks on an SM: 16 per block, each with the warps that have arrived. Accel-Sim
 * folds every barrier into number 0 for all warps; the caller decides what it passes.
 */
final class BarrierUnit {
  static final int BARRIERS = 16;

  private final ClassicWarps warps;

  /** Per block and barrier: warps that arrived, warps that wait. */
  private final long[] arrived;

  private final long[] waiting;
  private final int[] arrivals;
  private final int[] expected;

  /** Per block, its warps that have not exited. */
  private final long[] members;

  BarrierUnit(int blocks, ClassicWarps warps) {
    this.warps = warps;
    arrived = new long[blocks * BARRIERS];
    waiting = new long[blocks * BARRIERS];
    arrivals = new int[blocks * BARRIERS];
    expected = new int[blocks * BARRIERS];
    members = new long[blocks];
  }

  void launch(int block, long memberWarps) {
    members[block] = memberWarps;
    for (int b = block * BARRIERS; b < (block + 1) * BARRIERS; b++) {
      arrived[b] = 0;
      waiting[b] = 0;
      arrivals[b] = 0;
      expected[b] = 0;
    }
  }

  /**
   * A warp comes to a barrier.
   *
   * @param count warps to wait for, 0 for all of the block
   * @param waits whether it waits there
   */
  void arrive(int block, int barrier, int warp, int count, boolean waits) {
    int at = block * BARRIERS + barrier;
    arrived[at] |= 1L << warp;
    arrivals[at]++;
    expected[at] = count;
    if (waits) {
      waiting[at] |= 1L << warp;
      warps.atBarrier |= 1L << warp;
    }
    check(block, at);
  }

  /** A warp has exited; those who wait may no longer have to wait for it. */
  void exit(int block, int warp) {
    members[block] &= ~(1L << warp);
    for (int b = block * BARRIERS; b < (block + 1) * BARRIERS; b++) {
      if (arrivals[b] > 0) {
        check(block, b);
      }
    }
  }

  private void check(int block, int at) {
    boolean complete =
        expected[at] == 0 ? (members[block] & ~arrived[at]) == 0 : arrivals[at] >= expected[at];
    if (complete) {
      warps.atBarrier &= ~waiting[at];
      arrived[at] = 0;
      waiting[at] = 0;
      arrivals[at] = 0;
    }
  }
}
