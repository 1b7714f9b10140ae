package dev.warpline.amd.memory;

import java.util.Arrays;

/**
 * Requests on their way to a server, taken in the order of their arrival, those that arrive
 * together in the order in which they were sent. They are sorted when a window's worth is due.
 */
final class Arrivals {
  /** Bits of a request's number among those that wait. */
  private static final int NUMBER_BITS = 24;

  private long[] cycles = new long[256];
  private long[] targets = new long[256];
  private long[] infos = new long[256];
  private int count;
  private long next = Long.MAX_VALUE;

  /** Those that are due: cycle since the first arrival, and number. */
  private long[] due = new long[256];

  void add(long cycle, long target, long info) {
    if (count == cycles.length) {
      cycles = Arrays.copyOf(cycles, count * 2);
      targets = Arrays.copyOf(targets, count * 2);
      infos = Arrays.copyOf(infos, count * 2);
      due = new long[count * 2];
    }
    cycles[count] = cycle;
    targets[count] = target;
    infos[count] = info;
    count++;
    next = Math.min(next, cycle);
  }

  /** The first arrival, or {@code Long.MAX_VALUE}. */
  long next() {
    return next;
  }

  /** Sorts those that arrive before a horizon and returns how many there are. */
  int sortDue(long horizon) {
    if (next >= horizon) {
      return 0;
    }
    int dueCount = 0;
    for (int i = 0; i < count; i++) {
      if (cycles[i] < horizon) {
        due[dueCount++] = cycles[i] - next << NUMBER_BITS | i;
      }
    }
    Arrays.sort(due, 0, dueCount);
    return dueCount;
  }

  /** Number of the i-th that is due. */
  int due(int i) {
    return (int) due[i] & (1 << NUMBER_BITS) - 1;
  }

  long cycle(int number) {
    return cycles[number];
  }

  long target(int number) {
    return targets[number];
  }

  long info(int number) {
    return infos[number];
  }

  /** Forgets those that arrive before a horizon. */
  void removeDue(long horizon) {
    int left = 0;
    next = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      if (cycles[i] >= horizon) {
        cycles[left] = cycles[i];
        targets[left] = targets[i];
        infos[left] = infos[i];
        next = Math.min(next, cycles[i]);
        left++;
      }
    }
    count = left;
  }
}
