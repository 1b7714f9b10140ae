package dev.warpline.nvidia.modern.launch;

import dev.warpline.engine.gpu.Topology;
import java.util.List;

/**
 * Where an SM stands among those of its GPC, which share a cache for instructions and constants.
 *
 * @param sm its number
 * @param rank its place in the GPC
 * @param size SMs of the GPC
 * @param hops stations between it and the cache
 */
public record GroupPlace(int sm, int rank, int size, double hops) {
  public static GroupPlace of(int sm, Topology topology) {
    for (List<Integer> group : topology.groups()) {
      int rank = group.indexOf(sm);
      if (rank >= 0) {
        return new GroupPlace(sm, rank, group.size(), topology.hops().get(sm));
      }
    }
    throw new IllegalArgumentException("no SM " + sm + " among " + topology.sms());
  }

  /**
   * How long a sub-core waits for its turn when all SMs of the GPC ask for one line, as they do at
   * a kernel's start.
   */
  public long turn(int subCore, double turnCycles) {
    return Math.round((subCore * size + rank) * turnCycles);
  }
}
