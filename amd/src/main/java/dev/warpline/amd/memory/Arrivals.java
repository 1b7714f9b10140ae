package dev.warpline.amd.memory;

import dev.warpline.memory.MemoryRequest;
import java.util.Arrays;

/**
 * Requests on their way to a server, taken in the order of their arrival, those that arrive
 * together in the order in which they were sent. They are sorted when a window's worth is due.
 */
final class Arrivals {
  /** Bits of a request's number among those that wait. */
  private static final int NUMBER_BITS = 24;

  private MemoryRequest[] requests = new MemoryRequest[256];

  /** Their arrivals, which are looked through in every window. */
  private long[] cycles = new long[256];

  private int count;
  private long next = Long.MAX_VALUE;

  /** Those that are due: cycle since the first arrival, and number. */
  private long[] due = new long[256];

  void add(MemoryRequest request) {
    if (count == cycles.length) {
      requests = Arrays.copyOf(requests, count * 2);
      cycles = Arrays.copyOf(cycles, count * 2);
      due = new long[count * 2];
    }
    requests[count] = request;
    cycles[count] = request.ready;
    count++;
    next = Math.min(next, request.ready);
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

  /** The i-th that is due. */
  MemoryRequest due(int i) {
    return requests[(int) due[i] & (1 << NUMBER_BITS) - 1];
  }

  /** Forgets those that arrive before a horizon. */
  void removeDue(long horizon) {
    int left = 0;
    next = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      if (cycles[i] >= horizon) {
        requests[left] = requests[i];
        cycles[left] = cycles[i];
        next = Math.min(next, cycles[i]);
        left++;
      }
    }
    count = left;
  }
}
