package dev.warpline.amd.exec;

import dev.warpline.amd.code.KernelDescriptor;
import dev.warpline.isa.gcn.GcnTarget;

/**
 * One kernel launch, as the waves see it.
 *
 * @param kernel name, for messages
 * @param entry address of the first instruction
 * @param grid work-items along x, y, z
 * @param group work-items per group along x, y, z
 * @param ldsBytes LDS per group, static and dynamic
 * @param privateBytes scratch per work-item
 * @param kernarg address of the argument segment
 * @param packet address of the dispatch packet
 * @param queue address of the queue
 * @param dispatchId number of the packet in its queue
 * @param scratch address of the scratch memory of all waves
 */
public record Dispatch(
    GcnTarget target,
    String kernel,
    KernelDescriptor descriptor,
    long entry,
    int[] grid,
    int[] group,
    int ldsBytes,
    int privateBytes,
    long kernarg,
    long packet,
    long queue,
    long dispatchId,
    long scratch) {

  public static final int MAX_GROUP_SIZE = 1024;

  public static final int MAX_LDS = 65536;

  public Dispatch {
    long items = 1;
    for (int d = 0; d < 3; d++) {
      if (grid[d] < 1 || group[d] < 1) {
        throw new IllegalArgumentException(
            "kernel " + kernel + ": grid and group need at least one work-item in each dimension");
      }
      items *= group[d];
    }
    if (items > MAX_GROUP_SIZE) {
      throw new IllegalArgumentException(
          "kernel "
              + kernel
              + ": a group of "
              + items
              + " work-items, expected at most "
              + MAX_GROUP_SIZE);
    }
    if (ldsBytes > MAX_LDS) {
      throw new IllegalArgumentException(
          "kernel " + kernel + ": " + ldsBytes + " bytes of LDS, expected at most " + MAX_LDS);
    }
  }

  /** Groups along a dimension; the last may be partial. */
  public int groups(int dimension) {
    return (int) ((grid[dimension] + (long) group[dimension] - 1) / group[dimension]);
  }

  public long groupCount() {
    return (long) groups(0) * groups(1) * groups(2);
  }

  /** Work-items of the group at {@code position} along a dimension: fewer at the grid's end. */
  public int groupSize(int dimension, int position) {
    return (int) Math.min(group[dimension], grid[dimension] - (long) position * group[dimension]);
  }

  /** Waves of the group at (x, y, z). */
  public int waves(int x, int y, int z) {
    return (groupSize(0, x) * groupSize(1, y) * groupSize(2, z) + 63) / 64;
  }

  /** Scratch of one wave: the lanes' dwords are interleaved; hardware counts in KiB. */
  public long scratchBytesPerWave() {
    return (privateBytes * 64L + 1023) & ~1023L;
  }
}
