package dev.warpline.nvidia.modern.async;

import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.ControlBits;
import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Arrays;

/**
 * The groups in which warps commit their copies from global to shared memory (LDGSTS). They end in
 * the order of their commits; a group's end lowers a dependence counter or arrives at an mbarrier.
 */
public final class CopyGroups {
  private static final byte COPY = (byte) StallReason.ASYNC_COPY.ordinal();

  /** Groups of a warp that may be open. */
  private static final int GROUPS = 16;

  private final Warps warps;
  private final MbarrierUnit mbarriers;

  // By warp and group; made when the first copy or commit comes.
  private int[] open;
  private int[] counter;
  private int[] barrier;
  private int[] arrivals;
  private long[] done;

  // By warp: the oldest group that has not ended, and the one that copies join.
  private final int[] first;
  private final int[] now;

  /**
   * @param mbarriers null where the GPU has none
   */
  public CopyGroups(Warps warps, MbarrierUnit mbarriers) {
    this.warps = warps;
    this.mbarriers = mbarriers;
    first = new int[warps.slots];
    now = new int[warps.slots];
  }

  private void need() {
    if (open == null) {
      int n = warps.slots * GROUPS;
      open = new int[n];
      counter = new int[n];
      barrier = new int[n];
      arrivals = new int[n];
      done = new long[n];
    }
  }

  public void startWarp(int w) {
    first[w] = 0;
    now[w] = 0;
    if (open == null) {
      return;
    }
    Arrays.fill(open, w * GROUPS, (w + 1) * GROUPS, 0);
    Arrays.fill(done, w * GROUPS, (w + 1) * GROUPS, 0);
  }

  private static int at(int w, int group) {
    return w * GROUPS + group % GROUPS;
  }

  /** The group that a warp's copies join. */
  public int current(int w) {
    return now[w];
  }

  /** A copy was issued. */
  public void add(int w) {
    need();
    open[at(w, now[w])]++;
  }

  /** LDGDEPBAR: a counter goes up until all copies since the last commit have landed. */
  public void commit(int w, int itsCounter, long cycle) {
    need();
    int group = now[w];
    int at = at(w, group);
    counter[at] = itsCounter;
    arrivals[at] = 0;
    if (itsCounter != ControlBits.NO_BARRIER) {
      warps.counters.open(w, itsCounter, COPY, cycle);
    }
    done[at] = Math.max(done[at], cycle + warps.toAllocate);
    now[w] = group + 1;
    int following = at(w, group + 1);
    open[following] = 0;
    done[following] = 0;
    retire(w);
  }

  /** Arrives at an mbarrier once all copies that the warp asked for so far have landed. */
  public void arriveAfter(int w, int address, int count, long cycle) {
    int group = now[w];
    commit(w, ControlBits.NO_BARRIER, cycle);
    if (first[w] > group) {
      mbarriers.arriveLater(cycle + warps.toAllocate, warps.get(w).block, address, count);
    } else {
      barrier[at(w, group)] = address;
      arrivals[at(w, group)] = count;
    }
  }

  /** A copy's data is in shared memory at a cycle. */
  public void landed(int w, int group, long when) {
    int at = at(w, group);
    open[at]--;
    done[at] = Math.max(done[at], when);
    retire(w);
  }

  private void retire(int w) {
    while (first[w] < now[w]) {
      int at = at(w, first[w]);
      if (open[at] > 0) {
        return;
      }
      long when = done[at];
      first[w]++;
      int following = at(w, first[w]);
      done[following] = Math.max(done[following], when);
      warps.close(w, counter[at], when, COPY);
      if (arrivals[at] > 0) {
        mbarriers.arriveLater(when, warps.get(w).block, barrier[at], arrivals[at]);
        arrivals[at] = 0;
      }
    }
  }
}
