package dev.warpline.nvidia.hopper;

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

  /**
   * Rates of the tensor cores.
   *
   * @param cyclesPerColumn occupancy per column of the product, 0.5
   * @param registerFloor least occupancy with A in registers
   * @param sharedFloor least occupancy with A in shared memory, plus {@code sharedPerColumn}
   * @param sharedPerColumn part of that floor per column
   * @param registerLatency from start to result, beyond the occupancy, with A in registers
   * @param sharedLatency the same with A in shared memory
   */
  public record Spec(
      double cyclesPerColumn,
      int registerFloor,
      int sharedFloor,
      double sharedPerColumn,
      int registerLatency,
      int sharedLatency) {}

  private final Spec spec;
  private final long[] issued;
  private final long[] started;
  private final long[][] groupEnd;
  private final int[] groups;
  private final long[] lastEnd;
  private double free;

  /** Products of an SM with so many warp slots. */
  public WarpgroupProducts(Spec spec, int warpSlots) {
    this.spec = spec;
    int warpgroups = (warpSlots + WARPS - 1) / WARPS;
    issued = new long[warpSlots];
    started = new long[warpgroups];
    groupEnd = new long[warpgroups][8];
    groups = new int[warpgroups];
    lastEnd = new long[warpgroups];
  }

  /** A new block uses a warpgroup's slots. */
  public void start(int warpgroup) {
    started[warpgroup] = 0;
    groups[warpgroup] = 0;
    lastEnd[warpgroup] = 0;
    for (int w = 0; w < WARPS && WARPS * warpgroup + w < issued.length; w++) {
      issued[WARPS * warpgroup + w] = 0;
    }
  }

  /** How long a product keeps the tensor cores. */
  public double occupancy(MatrixShape shape, boolean sharedA) {
    double floor =
        sharedA ? spec.sharedFloor() + spec.sharedPerColumn() * shape.n() : spec.registerFloor();
    return Math.max(spec.cyclesPerColumn() * shape.n(), floor);
  }

  /**
   * One warp issues its part of a product.
   *
   * @return when the product ends if this was the fourth warp, else -1
   */
  public long issue(int warp, long cycle, MatrixShape shape, boolean sharedA, boolean commits) {
    int warpgroup = warp / WARPS;
    issued[warp]++;
    if (issued[warp] != started[warpgroup] + 1 || !inStep(warp)) {
      return -1;
    }
    started[warpgroup]++;
    double start = Math.max(cycle, free);
    double busy = occupancy(shape, sharedA);
    free = start + busy;
    double work = spec.cyclesPerColumn() * shape.n();
    long end =
        (long) Math.ceil(start + work + (sharedA ? spec.sharedLatency() : spec.registerLatency()));
    lastEnd[warpgroup] = Math.max(lastEnd[warpgroup], end);
    if (commits) {
      close(warpgroup);
    }
    return end;
  }

  private void close(int warpgroup) {
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
