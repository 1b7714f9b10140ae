package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * The requests sent in a window in the order of their time, then SM, then as the SM made them:
 * copies, one behind the other, as they are read.
 */
final class RequestOrder {
  private static final int WORDS = Batch.WORDS;
  private static final int INDEX_BITS = 18;

  /** Where the number of the SM in the list stands in the word with tag and slice. */
  private static final int SM = 48;

  private static final int SLICE = 32;
  private static final int SLICE_MASK = (1 << SM - SLICE) - 1;

  /** Cycles between the first and the last request, for each request, up to which to count. */
  private static final int SPARSE = 4;

  private long[] requests = new long[WORDS * 1024];
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
    if (requests.length < WORDS * total) {
      requests = new long[Math.max(WORDS * total, 2 * requests.length)];
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
    return (int) (requests[WORDS * k + Batch.TAG] >>> SM);
  }

  /** When a request leaves its SM. */
  long time(int k) {
    return requests[WORDS * k];
  }

  long line(int k) {
    return requests[WORDS * k + Batch.LINE];
  }

  /** What {@link Batch#info} says. */
  int info(int k) {
    return (int) requests[WORDS * k + Batch.INFO];
  }

  /** What {@link Batch#words} says. */
  int words(int k) {
    return (int) (requests[WORDS * k + Batch.INFO] >>> 32);
  }

  int tag(int k) {
    return (int) requests[WORDS * k + Batch.TAG];
  }

  /** The slice of its line, in every partition. */
  int slice(int k) {
    return (int) (requests[WORDS * k + Batch.TAG] >>> SLICE) & SLICE_MASK;
  }

  private void put(int k, Batch from, int i, int at) {
    from.copy(i, requests, WORDS * k);
    requests[WORDS * k + Batch.TAG] |= (long) at << SM;
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
        put(next[(int) (from.time(i) - first)]++, from, i, at);
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
      int at = (int) keys[k] >>> INDEX_BITS & (1 << 28 - INDEX_BITS) - 1;
      put(k, sms[at].sent, (int) keys[k] & (1 << INDEX_BITS) - 1, at);
    }
  }
}
