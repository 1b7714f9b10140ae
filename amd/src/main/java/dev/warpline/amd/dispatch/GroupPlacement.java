package dev.warpline.amd.dispatch;

/**
 * A work-group on a compute unit.
 *
 * @param task the kernel
 * @param index number of the group in the grid
 * @param cu compute unit
 * @param slots wave slot of each of its waves, simd * slotsPerSimd + slot
 * @param scratchSlots scratch slot of each wave
 * @param age number of its first wave among all waves of the GPU; older waves have smaller ones
 * @param cycle when its waves may fetch
 */
public record GroupPlacement(
    DispatchTask task, long index, int cu, int[] slots, int[] scratchSlots, long age, long cycle) {
  /** Waves of the group. */
  public int waves() {
    return slots.length;
  }
}
