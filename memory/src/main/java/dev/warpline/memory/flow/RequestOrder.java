package dev.warpline.memory.flow;

import java.util.Arrays;

/** The requests sent in a window in the order of their time, then SM, then as the SM made them. */
final class RequestOrder {
  private static final int INDEX_BITS = 18;

  /** Cycles between the first and the last request, for each request, up to which to count. */
  private static final int SPARSE = 4;

  private int[] order = new int[1024];
  private long[] keys = new long[0];
  private long first;

  /** By cycle: where its requests go. */
  private int[] next = new int[0];

  /** Orders the requests of the first SMs of a list by number; returns how many there are. */
  int sort(Requests[] sms, int count) {
    int total = 0;
    first = Long.MAX_VALUE;
    long last = 0;
    for (int at = 0; at < count; at++) {
      Batch from = sms[at].sent;
      total += from.size;
      for (int i = 0; i < from.size; i++) {
        first = Math.min(first, from.time(i));
        last = Math.max(last, from.time(i));
      }
    }
    if (order.length < total) {
      order = new int[Math.max(total, 2 * order.length)];
    }
    if (total != 0) {
      if (last - first <= (long) SPARSE * total) {
        count(sms, count, (int) (last - first) + 1);
      } else {
        compare(sms, count, total);
      }
    }
    return total;
  }

  /** When the first of them leaves its SM. */
  long first() {
    return first;
  }

  /** Number of the SM of a request in the list. */
  int sm(int k) {
    return order[k] >>> INDEX_BITS;
  }

  /** Number of a request among those of its SM. */
  int index(int k) {
    return order[k] & (1 << INDEX_BITS) - 1;
  }

  private void count(Requests[] sms, int count, int cycles) {
    if (next.length < cycles) {
      next = new int[2 * cycles];
    } else {
      Arrays.fill(next, 0, cycles, 0);
    }
    for (int at = 0; at < count; at++) {
      Batch from = sms[at].sent;
      for (int i = 0; i < from.size; i++) {
        next[(int) (from.time(i) - first)]++;
      }
    }
    int sum = 0;
    for (int cycle = 0; cycle < cycles; cycle++) {
      int its = next[cycle];
      next[cycle] = sum;
      sum += its;
    }
    for (int at = 0; at < count; at++) {
      Batch from = sms[at].sent;
      for (int i = 0; i < from.size; i++) {
        order[next[(int) (from.time(i) - first)]++] = at << INDEX_BITS | i;
      }
    }
  }

  private void compare(Requests[] sms, int count, int total) {
    if (keys.length < total) {
      keys = new long[2 * total];
    }
    int n = 0;
    for (int at = 0; at < count; at++) {
      Batch from = sms[at].sent;
      for (int i = 0; i < from.size; i++) {
        keys[n++] = from.time(i) << 28 | (long) at << INDEX_BITS | i;
      }
    }
    Arrays.sort(keys, 0, n);
    for (int k = 0; k < n; k++) {
      order[k] = (int) keys[k] & (1 << 28) - 1;
    }
  }
}
