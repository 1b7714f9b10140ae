package dev.warpline.nvidia.modern.launch;

import dev.warpline.engine.LongHeap;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.nvidia.modern.warp.Warps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * Gives blocks to SMs. The first ones in the order of the hardware: lone SMs, then group after
 * group, both SMs of a pair together; later ones to whichever place comes free first. Decides
 * between windows, but with the exact cycle of each arrival.
 */
public final class BlockScheduler extends Placer {
  private final ModernCoreSpec.Launch spec;
  private final Topology topology;
  private final int[] order;
  private final int[] rank;
  private final int places;
  private final int warpsPerBlock;
  private final long blocks;
  private long nextBlock;
  private int rounds;
  private double nextLaunch;
  private final long[] smFree;

  /** Places that had a block. */
  private final BitSet used = new BitSet();

  /** Free places: time they come free, then SM in launch order, then place. */
  private final LongHeap free = new LongHeap();

  public BlockScheduler(
      ModernCoreSpec.Launch spec, Topology topology, int places, int warpsPerBlock, long blocks) {
    this.spec = spec;
    this.topology = topology;
    this.places = places;
    this.warpsPerBlock = warpsPerBlock;
    this.blocks = blocks;
    order = order(topology, 0);
    rank = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      rank[order[i]] = i;
    }
    smFree = new long[order.length];
    nextLaunch = spec.kernelCycles();
  }

  /**
   * All places are free from the start; rounds, one place of every SM each, keep the first block of
   * every SM in front. A round is listed when the one before it is used up.
   */
  private boolean hasPlace() {
    while (rounds < places
        && (free.isEmpty() || free.first() >>> 28 >= spec.kernelCycles() + rounds)) {
      int[] round = order(topology, rounds);
      for (int i = 0; i < round.length; i++) {
        free.add(key(spec.kernelCycles() + rounds, i, round[i], rounds));
      }
      rounds++;
    }
    return !free.isEmpty();
  }

  private static long key(long time, int rank, int sm, int place) {
    return time << 28 | (long) rank << 18 | (long) sm << 8 | place;
  }

  /** SMs in the order of a round: lone ones first, then groups, each round from another on. */
  private static int[] order(Topology topology, int round) {
    List<Integer> list = new ArrayList<>(topology.loneSms());
    List<List<Integer>> groups = new ArrayList<>(topology.groups());
    groups.removeIf(topology.loneSms()::containsAll);
    Collections.rotate(groups, -round);
    groups.stream()
        .flatMap(List::stream)
        .filter(sm -> !topology.loneSms().contains(sm))
        .forEach(list::add);
    return list.stream().mapToInt(sm -> sm).toArray();
  }

  /** A place comes free. */
  @Override
  public void release(int sm, int place, long when) {
    free.add(key(when + spec.turnaround(), rank[sm], sm, place));
  }

  /** Finds the next block's placement if it arrives before a cycle. */
  @Override
  public boolean next(long until) {
    while (nextBlock < blocks && hasPlace()) {
      long first = free.first();
      long ready = Math.max(first >>> 28, (long) nextLaunch);
      if (ready >= until) {
        return false;
      }
      int candidate = (int) (first >>> 8) & 0x3ff;
      if (smFree[candidate] > ready) {
        // The SM is still taking its last block.
        free.remove();
        free.add(
            key(smFree[candidate], (int) (first >>> 18) & 0x3ff, candidate, (int) first & 0xff));
        continue;
      }
      free.remove();
      sm = candidate;
      place = (int) first & 0xff;
      time = ready;
      block = nextBlock++;
      boolean fresh = !used.get(sm * places + place);
      used.set(sm * places + place);
      nextLaunch =
          Math.max(nextLaunch, ready) + (fresh ? spec.fillInterval() : spec.blockInterval());
      smFree[sm] =
          ready
              + Math.max(
                  spec.smBlockInterval() + spec.smWarpInterval(),
                  spec.smWarpInterval() * (warpsPerBlock + 1));
      return true;
    }
    return false;
  }

  /** Earliest cycle at which a block could be placed, far away if none is left. */
  @Override
  public long nextTime() {
    if (nextBlock >= blocks || !hasPlace()) {
      return Warps.NEVER;
    }
    return Math.max(free.first() >>> 28, (long) nextLaunch);
  }

  public boolean done() {
    return nextBlock >= blocks;
  }

  @Override
  public String toString() {
    return nextBlock
        + " of "
        + blocks
        + " blocks launched, "
        + places
        + " places per SM, order "
        + Arrays.toString(order);
  }
}
