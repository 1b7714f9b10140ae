package dev.warpline.nvidia.modern.launch;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.policy.BlockScheduler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gives blocks to the SMs that a block scheduler chooses. Says when: an SM takes its blocks one
 * after the other, and only so many leave in a cycle. Decides between windows, but with the exact
 * cycle of each arrival.
 */
public final class BlockPlacer extends Placer implements BlockScheduler.Sms {
  private final BlockScheduler scheduler;
  private final ModernCoreSpec.Launch spec;
  private final int[][] groups;
  private final int ahead;
  private final int places;
  private final int warpsPerBlock;
  private final long blocks;
  private long nextBlock;

  /** The cycle of the decision. */
  private long now;

  private final Distributor distributor;

  /** By SM and place: since when there is room; made when an SM gets its first block. */
  private final long[][] free;

  /** By SM: the earliest of these, places that had a block, blocks that are there. */
  private final long[] soonest;

  private final int[] opened;
  private final int[] resident;

  public BlockPlacer(
      BlockScheduler scheduler,
      ModernCoreSpec.Launch spec,
      Topology topology,
      int places,
      int warpsPerBlock,
      long blocks) {
    this(
        scheduler,
        spec,
        topology,
        places,
        warpsPerBlock,
        blocks,
        new Distributor(topology.sms()),
        spec.kernelCycles());
  }

  /**
   * @param distributor hands out blocks of other kernels, too
   * @param from when the first block can come
   */
  public BlockPlacer(
      BlockScheduler scheduler,
      ModernCoreSpec.Launch spec,
      Topology topology,
      int places,
      int warpsPerBlock,
      long blocks,
      Distributor distributor,
      long from) {
    super(from);
    this.distributor = distributor;
    this.scheduler = scheduler;
    this.spec = spec;
    this.places = places;
    this.warpsPerBlock = warpsPerBlock;
    this.blocks = blocks;
    List<Integer> lone = topology.loneSms();
    List<int[]> all = new ArrayList<>();
    if (!lone.isEmpty()) {
      all.add(array(lone));
    }
    ahead = all.size();
    for (List<Integer> group : topology.groups()) {
      if (!lone.containsAll(group)) {
        all.add(array(group.stream().filter(sm -> !lone.contains(sm)).toList()));
      }
    }
    groups = all.toArray(int[][]::new);
    int sms = topology.sms();
    free = new long[sms][];
    soonest = new long[sms];
    opened = new int[sms];
    resident = new int[sms];
    Arrays.fill(soonest, from);
    scheduler.begin(this, places, from);
  }

  private static int[] array(List<Integer> sms) {
    return sms.stream().mapToInt(sm -> sm).toArray();
  }

  @Override
  public int[][] groups() {
    return groups;
  }

  @Override
  public int ahead() {
    return ahead;
  }

  @Override
  public int blocks(int sm) {
    return blocks(sm, resident[sm]);
  }

  @Override
  public boolean hasRoom(int sm) {
    return soonest[sm] <= now && fitsAt(sm) <= now;
  }

  @Override
  public long busyUntil(int sm) {
    return distributor.busy[sm];
  }

  /** A place comes free. */
  @Override
  public void release(int sm, int place, long when) {
    resident[sm]--;
    free[sm][place] = when + spec.turnaround();
    soonest[sm] = Math.min(soonest[sm], free[sm][place]);
    scheduler.freed(sm, free[sm][place]);
  }

  /** Finds the next block's placement if it is decided before a cycle. */
  @Override
  public boolean next(long until) {
    now = earliest(false);
    if (now >= until) {
      return false;
    }
    sm = scheduler.choose(now);
    if (sm == BlockScheduler.NONE) {
      now = earliest(true);
      if (now >= until) {
        return false;
      }
      sm = scheduler.choose(now);
    }
    if (sm < 0 || sm >= distributor.busy.length || !hasRoom(sm)) {
      throw new UnfinishedSimulationException(
          String.format(
              "block %d, cycle %d: block scheduler %s chose %s, expected an SM with room",
              nextBlock,
              now,
              scheduler.getClass().getName(),
              sm == BlockScheduler.NONE ? "none" : "SM " + sm));
    }
    scheduler.given(sm);
    int own = take(sm);
    time = Math.max(now, distributor.busy[sm]);
    block = nextBlock++;
    place = take(sm, own, time);
    boolean fresh = own == opened[sm];
    opened[sm] += fresh ? 1 : 0;
    distributor.free =
        Math.max(distributor.free, now) + (fresh ? spec.fillInterval() : spec.blockInterval());
    distributor.busy[sm] =
        time
            + Math.max(
                spec.smBlockInterval() + spec.smWarpInterval(),
                spec.smWarpInterval() * (warpsPerBlock + 1));
    return true;
  }

  /** Takes the place of an SM that came free first. */
  private int take(int sm) {
    if (free[sm] == null) {
      free[sm] = new long[places];
      Arrays.fill(free[sm], from);
    }
    int first = 0;
    for (int i = 1; i < places; i++) {
      first = free[sm][i] < free[sm][first] ? i : first;
    }
    free[sm][first] = Warps.NEVER;
    soonest[sm] = Arrays.stream(free[sm]).min().orElseThrow();
    resident[sm]++;
    return first;
  }

  /** Earliest cycle at which a block could be placed, far away if none is left. */
  @Override
  public long nextTime() {
    return earliest(true);
  }

  /**
   * @param idle whether only an SM will do that is not taking another block
   */
  private long earliest(boolean idle) {
    if (nextBlock >= blocks) {
      return Warps.NEVER;
    }
    long first = Warps.NEVER;
    for (int i = 0; i < soonest.length; i++) {
      long room = soonest[i];
      if (isShared() && room < first) {
        room = Math.max(room, fitsAt(i));
      }
      first = Math.min(first, idle ? Math.max(room, distributor.busy[i]) : room);
    }
    if (first == Warps.NEVER) {
      return first;
    }
    first = Math.max(first, floor());
    return Math.max(first, Math.max(from, (long) distributor.free));
  }

  @Override
  public boolean hasBlocks() {
    return nextBlock < blocks;
  }

  @Override
  long freeAt(int sm, int place) {
    return free[sm] == null ? from : free[sm][place];
  }

  @Override
  public String toString() {
    return nextBlock + " of " + blocks + " blocks launched, " + places + " places per SM";
  }
}
