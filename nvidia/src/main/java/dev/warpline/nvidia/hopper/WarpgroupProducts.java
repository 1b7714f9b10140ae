package dev.warpline.nvidia.hopper;

import dev.warpline.engine.gpu.ModernCoreSpec;

/**
 * The warpgroup matrix products of an SM. The four tensor cores work in lock step on one product at
 * a time, in the order in which products become complete, that is, when the fourth warp of the
 * warpgroup issued its part. Groups are counted per warp: the product that commits closes the
 * group.
 *
 * <p>Time in core cycles; occupancy and latency come from the description.
 */
public final class WarpgroupProducts {
  private static final int WARPS = 4;

  private final ModernCoreSpec.Async spec;
  private final long[] issued;
  private final long[] started;
  private final long[][] groupEnd;
  private final int[] groups;
  private final long[] lastEnd;
  private final boolean[] openGroup;
  private double free;

  /** Products of an SM with so many warp slots. */
  public WarpgroupProducts(ModernCoreSpec.Async spec, int warpSlots) {
    this.spec = spec;
    int warpgroups = (warpSlots + WARPS - 1) / WARPS;
    issued = new long[warpSlots];
    started = new long[warpgroups];
    groupEnd = new long[warpgroups][8];
    groups = new int[warpgroups];
    lastEnd = new long[warpgroups];
    openGroup = new boolean[warpgroups];
  }

  /** A kernel begins at cycle 0. */
  public void startKernel() {
    free = 0;
  }

  /** A new block uses a warpgroup's slots. */
  public void start(int warpgroup) {
    started[warpgroup] = 0;
    groups[warpgroup] = 0;
    lastEnd[warpgroup] = 0;
    openGroup[warpgroup] = false;
    for (int w = 0; w < WARPS && WARPS * warpgroup + w < issued.length; w++) {
      issued[WARPS * warpgroup + w] = 0;
    }
  }

  /** How long a product keeps the tensor cores. */
  public double occupancy(int columns, boolean sharedA) {
    double floor =
        sharedA ? spec.sharedFloor() + spec.sharedColumnFloor() * columns : spec.registerFloor();
    return Math.max(spec.columnCycles() * columns, floor);
  }

  /**
   * One warp issues its part of a product.
   *
   * @return when the product ends if this was the fourth warp, else -1
   */
  public long issue(int warp, long cycle, int columns, boolean sharedA, boolean commits) {
    int warpgroup = warp / WARPS;
    issued[warp]++;
    if (issued[warp] != started[warpgroup] + 1 || !inStep(warp)) {
      return -1;
    }
    started[warpgroup]++;
    double start = Math.max(cycle, free);
    double busy = occupancy(columns, sharedA);
    free = start + busy;
    double work = spec.columnCycles() * columns;
    long end =
        (long) Math.ceil(start + work + (sharedA ? spec.sharedLatency() : spec.registerLatency()));
    lastEnd[warpgroup] = Math.max(lastEnd[warpgroup], end);
    openGroup[warpgroup] = true;
    if (commits) {
      close(warpgroup);
    }
    return end;
  }

  /**
   * Closes the open group of a warp's warpgroup, where the trace does not say which product does.
   */
  public void commit(int warp) {
    if (openGroup[warp / WARPS]) {
      close(warp / WARPS);
    }
  }

  private void close(int warpgroup) {
    openGroup[warpgroup] = false;
    long[] ends = groupEnd[warpgroup];
    if (groups[warpgroup] == ends.length) {
      System.arraycopy(ends, 1, ends, 0, ends.length - 1);
      groups[warpgroup]--;
    }
    ends[groups[warpgroup]++] = lastEnd[warpgroup];
  }

  /** Whether every product a warp issued has been issued by its three siblings too. */
  public boolean inStep(int warp) {
    int first = warp / WARPS * WARPS;
    for (int w = first; w < first + WARPS && w < issued.length; w++) {
      if (issued[w] < issued[warp]) {
        return false;
      }
    }
    return true;
  }

  /** When at most {@code allowed} groups of a warp's warpgroup are unfinished; 0 if so already. */
  public long readyAt(int warp, int allowed) {
    int last = groups[warp / WARPS] - allowed - 1;
    return last < 0 ? 0 : groupEnd[warp / WARPS][last];
  }
}
