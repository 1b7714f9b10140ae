package dev.warpline.amd.exec;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The barrier of all groups of a dispatch (global wave sync). Groups arrive on any thread; whether
 * all have is decided by arrivals that lie so far back that every thread has seen them, so that the
 * answer depends on simulated time alone.
 */
final class GridBarrier {
  private static final int CYCLE_BITS = 44;
  private static final long CYCLE_MASK = (1L << CYCLE_BITS) - 1;

  private final int groups;
  private final long lag;

  /** By group and parity of the round: the round, from 1, above the cycle of the arrival. */
  private final AtomicLongArray arrivals;

  /**
   * @param lag cycles after which everybody knows of an arrival
   */
  GridBarrier(int groups, long lag) {
    this.groups = groups;
    this.lag = lag;
    arrivals = new AtomicLongArray(2 * groups);
  }

  int groups() {
    return groups;
  }

  void arrive(int group, long round, long cycle) {
    arrivals.set(2 * group + (int) (round & 1), round << CYCLE_BITS | cycle & CYCLE_MASK);
  }

  /** Whether at a cycle all groups are known to have arrived in a round. */
  boolean isComplete(long round, long cycle) {
    for (int group = 0; group < groups; group++) {
      long arrival = arrivals.get(2 * group + (int) (round & 1));
      if (arrival >>> CYCLE_BITS != round || (arrival & CYCLE_MASK) > cycle - lag) {
        return false;
      }
    }
    return true;
  }
}
