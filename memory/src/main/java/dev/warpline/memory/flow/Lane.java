package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * A resource that serves one thing at a time, reserved ahead of time and not necessarily in the
 * order of use: a reply that comes back late must not hold the place of one that comes back early.
 * Time is cut into buckets; a reservation takes the first room at or after the time it asks for.
 */
final class Lane {
  private static final int BUCKET = 16;
  private static final int BUCKETS = 2048;

  // Made at the first reservation: most lanes of a large machine stay idle in a small kernel.
  private double[] used;
  private long[] bucketOf;

  /** How many buckets from a full one on are full, as far as was seen. */
  private int[] full;

  private long fullBefore;

  /** Cycles reserved since {@link #reset}. */
  double busy;

  void reset() {
    if (busy == 0) {
      return;
    }
    Arrays.fill(bucketOf, -1);
    fullBefore = 0;
    busy = 0;
  }

  /**
   * Reserves some cycles of service.
   *
   * @param time earliest start
   * @param cycles service time, less than a few buckets
   * @return when the service ends
   */
  double reserve(double time, double cycles) {
    if (used == null) {
      used = new double[BUCKETS];
      bucketOf = new long[BUCKETS];
      full = new int[BUCKETS];
      Arrays.fill(bucketOf, -1);
    }
    busy += cycles;
    long first = Math.max((long) time / BUCKET, fullBefore);
    long bucket = first;
    int at = index(bucket);
    while (used[at] >= BUCKET) {
      bucket += full[at];
      at = index(bucket);
    }
    if (first == fullBefore) {
      fullBefore = bucket;
    }
    for (long b = first; b < bucket; ) {
      int passed = (int) (b & (BUCKETS - 1));
      int step = full[passed];
      full[passed] = (int) (bucket - b);
      b += step;
    }
    double start = Math.max(time, (double) bucket * BUCKET + used[at]);
    double left = used[at] + cycles;
    long b = bucket;
    while (left > BUCKET) {
      used[at] = BUCKET;
      left -= BUCKET;
      at = index(++b);
      left += used[at];
    }
    used[at] = left;
    return start + cycles;
  }

  private int index(long bucket) {
    int at = (int) (bucket & (BUCKETS - 1));
    if (bucketOf[at] != bucket) {
      bucketOf[at] = bucket;
      used[at] = 0;
      full[at] = 1;
    }
    return at;
  }
}
