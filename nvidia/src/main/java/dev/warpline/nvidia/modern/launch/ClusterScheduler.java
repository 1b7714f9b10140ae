package dev.warpline.nvidia.modern.launch;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.Dim3;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gives clusters of blocks to groups of SMs: all blocks of a cluster start together, on SMs of one
 * group, spread over as many of them as there are. A group is a GPC or a pair of lone SMs. The next
 * cluster goes to the group in which room for it came free first, so no block scheduler but {@code
 * longest-free} is followed, and others are refused.
 */
public final class ClusterScheduler extends Placer {
  /** What this class does with whole clusters. */
  private static final String RULE = "longest-free";

  private final ModernCoreSpec.Launch spec;
  private final List<int[]> groups = new ArrayList<>();
  private final int places;
  private final Dim3 grid;
  private final Dim3 cluster;
  private final int size;
  private final long clusters;
  private final long[][] freeAt;
  private final int[] resident;
  private final boolean[] clusterDivides;
  private long nextCluster;
  private int member;
  private final Distributor distributor;
  private int lastGroup = -1;

  public ClusterScheduler(
      ModernCoreSpec.Launch spec, Topology topology, int places, Dim3 grid, Dim3 cluster) {
    this(
        spec,
        topology,
        places,
        grid,
        cluster,
        new Distributor(topology.sms()),
        spec.kernelCycles());
  }

  /**
   * @param distributor hands out blocks of other kernels, too
   * @param from when the first block can come
   */
  public ClusterScheduler(
      ModernCoreSpec.Launch spec,
      Topology topology,
      int places,
      Dim3 grid,
      Dim3 cluster,
      Distributor distributor,
      long from) {
    super(from);
    this.distributor = distributor;
    this.spec = spec;
    if (!spec.blockScheduler().words().equals(RULE)) {
      throw new IllegalArgumentException(
          "modern.launch.blockScheduler: found "
              + spec.blockScheduler()
              + ", expected "
              + RULE
              + " for a kernel with clusters: they go to the GPC where room came free first");
    }
    this.places = places;
    this.grid = grid;
    this.cluster = cluster;
    size = (int) cluster.count();
    clusterDivides = new boolean[size];
    clusters = grid.count() / size;
    if (grid.x() % cluster.x() != 0 || grid.y() % cluster.y() != 0 || grid.z() % cluster.z() != 0) {
      throw new IllegalArgumentException(
          "a grid of " + grid + " blocks cannot be cut into clusters of " + cluster);
    }
    List<Integer> lone = topology.loneSms();
    for (List<Integer> group : topology.groups()) {
      int[] its = group.stream().filter(s -> !lone.contains(s)).mapToInt(s -> s).toArray();
      if (its.length > 0) {
        groups.add(its);
      }
    }
    for (int i = 0; i + 1 < lone.size(); i += 2) {
      groups.add(new int[] {lone.get(i), lone.get(i + 1)});
    }
    int most = groups.stream().mapToInt(g -> g.length).max().orElse(0);
    // Measured: a group with fewer SMs than a cluster has blocks never gets one.
    groups.removeIf(group -> group.length < size);
    if (groups.isEmpty()) {
      throw new IllegalArgumentException(
          "a cluster of " + size + " blocks cannot run: the largest group has " + most + " SMs");
    }
    freeAt = new long[topology.sms()][places];
    resident = new int[topology.sms()];
  }

  @Override
  public void release(int sm, int place, long when) {
    freeAt[sm][place] = when + spec.turnaround();
    resident[sm]--;
  }

  @Override
  public boolean next(long until) {
    if (member == 0) {
      if (nextCluster >= clusters || !choose(until)) {
        return false;
      }
    }
    rank = member;
    divides = clusterDivides[member];
    sm = clusterSms[member];
    place = clusterPlaces[member];
    block = blockOf(nextCluster, member);
    if (++member == size) {
      member = 0;
      nextCluster++;
    }
    return true;
  }

  /** Finds the group whose places are free first; the one after the last chosen among equals. */
  private boolean choose(long until) {
    long best = Warps.NEVER;
    int chosen = -1;
    for (int k = 1; k <= groups.size(); k++) {
      int g = (lastGroup + k + groups.size()) % groups.size();
      long when = readyAt(groups.get(g));
      if (when < best) {
        best = when;
        chosen = g;
      }
    }
    long start = ready(best);
    if (chosen < 0 || start >= until) {
      return false;
    }
    lastGroup = chosen;
    time = start;
    distributor.free = start + size * spec.blockInterval();
    take(groups.get(chosen), start);
    return true;
  }

  private long readyAt(int[] group) {
    long[] times = new long[group.length * places];
    int n = 0;
    for (int s : group) {
      int first = n;
      for (int p = 0; p < places; p++) {
        times[n++] = freeAt[s][p];
      }
      if (isShared()) {
        Arrays.sort(times, first, n);
        for (int k = first; k < n; k++) {
          times[k] = Math.max(times[k], fitsAt(s, k - first + 1));
        }
      }
    }
    if (n < size) {
      return Warps.NEVER;
    }
    Arrays.sort(times);
    return times[size - 1];
  }

  private void take(int[] group, long when) {
    clusterSms = new int[size];
    clusterPlaces = new int[size];
    for (int i = 0; i < size; i++) {
      int least = -1;
      int itsPlace = -1;
      for (int s : group) {
        int p = 0;
        while (p < places && freeAt[s][p] > when) {
          p++;
        }
        if (p < places && fitsAt(s) <= when && (least < 0 || resident[s] < resident[least])) {
          least = s;
          itsPlace = p;
        }
      }
      clusterSms[i] = least;
      clusterPlaces[i] = take(least, itsPlace, when);
      clusterDivides[i] = divides;
      freeAt[least][itsPlace] = Warps.NEVER;
      resident[least]++;
    }
  }

  /** Linear id of a cluster's member; clusters and their members count x fastest. */
  private long blockOf(long index, int itsRank) {
    int nx = grid.x() / cluster.x();
    int ny = grid.y() / cluster.y();
    int x = (int) (index % nx) * cluster.x() + itsRank % cluster.x();
    int y = (int) (index / nx % ny) * cluster.y() + itsRank / cluster.x() % cluster.y();
    int z = (int) (index / nx / ny) * cluster.z() + itsRank / cluster.x() / cluster.y();
    return grid.linear(x, y, z);
  }

  @Override
  public long nextTime() {
    if (nextCluster >= clusters) {
      return Warps.NEVER;
    }
    if (member > 0) {
      return time;
    }
    long best = Warps.NEVER;
    for (int[] group : groups) {
      best = Math.min(best, readyAt(group));
    }
    return best == Warps.NEVER ? best : ready(best);
  }

  /** When a cluster can be handed out whose places are free at a cycle. */
  private long ready(long free) {
    return Math.max(Math.max(free, floor()), Math.max(from, (long) distributor.free));
  }

  @Override
  public boolean hasBlocks() {
    return nextCluster < clusters;
  }

  @Override
  long freeAt(int itsSm, int itsPlace) {
    return freeAt[itsSm][itsPlace];
  }
}
