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
  private double nextLaunch;

  /** The cycle of the decision. */
  private long now;

  /** By SM: until when it is taking its last block. */
  private final long[] busy;

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
    busy = new long[sms];
    free = new long[sms][];
    soonest = new long[sms];
    opened = new int[sms];
    resident = new int[sms];
    Arrays.fill(soonest, spec.kernelCycles());
    nextLaunch = spec.kernelCycles();
    scheduler.begin(this, places, spec.kernelCycles());
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
    return resident[sm];
  }

  @Override
  public boolean hasRoom(int sm) {
    return soonest[sm] <= now;
  }

  @Override
  public long busyUntil(int sm) {
    return busy[sm];
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
    if (sm < 0 || sm >= busy.length || !hasRoom(sm)) {
      throw new UnfinishedSimulationException(
          String.format(
              "block %d, cycle %d: block scheduler %s chose %s, expected an SM with room",
              nextBlock,
              now,
              scheduler.getClass().getName(),
              sm == BlockScheduler.NONE ? "none" : "SM " + sm));
    }
    scheduler.given(sm);
    place = take(sm);
    time = Math.max(now, busy[sm]);
    block = nextBlock++;
    boolean fresh = place == opened[sm];
    opened[sm] += fresh ? 1 : 0;
    nextLaunch = Math.max(nextLaunch, now) + (fresh ? spec.fillInterval() : spec.blockInterval());
    busy[sm] =
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
      Arrays.fill(free[sm], spec.kernelCycles());
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
      first = Math.min(first, idle ? Math.max(soonest[i], busy[i]) : soonest[i]);
    }
    return first == Warps.NEVER ? first : Math.max(first, (long) nextLaunch);
  }

  @Override
  public String toString() {
    return nextBlock + " of " + blocks + " blocks launched, " + places + " places per SM";
  }
}
