package dev.warpline.nvidia.modern.launch;

import java.util.List;

/**
 * Where an SM stands among those of its GPC, which share a cache for instructions and constants.
 *
 * @param sm its number
 * @param rank its place in the GPC
 * @param size SMs of the GPC
 */
public record GroupPlace(int sm, int rank, int size) {
  public static GroupPlace of(int sm, List<List<Integer>> groups) {
    for (List<Integer> group : groups) {
      int rank = group.indexOf(sm);
      if (rank >= 0) {
        return new GroupPlace(sm, rank, group.size());
      }
    }
    return new GroupPlace(sm, 0, 1);
  }

  /**
   * How long a sub-core waits for its turn when all SMs of the GPC ask for one line, as they do at
   * a kernel's start.
   */
  public long turn(int subCore, double turnCycles) {
    return Math.round((subCore * size + rank) * turnCycles);
  }
}
