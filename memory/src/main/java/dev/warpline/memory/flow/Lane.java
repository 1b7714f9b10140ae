package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * A resource that serves one thing at a time, reserved ahead of time and not necessarily in the
 * order of use: a reply that comes back late must not hold the place of one that comes back early.
 * Time is cut into buckets; a reservation takes the first room at or after the time it asks for.
 */
final class Lane {
  private static final int BUCKET_BITS = 4;
  private static final int BUCKET = 1 << BUCKET_BITS;
  private static final int MOST_BUCKETS = 2048;
  private static final int FIRST_BUCKETS = 32;

  /** Of the first word of a bucket: the bits below its number. */
  private static final int FULL_BITS = 24;

  private static final long FULL = (1L << FULL_BITS) - 1;

  /**
   * A ring of buckets, two words each: its number from 1 on and, if it is full, how many buckets
   * from it on are, as far as was seen; and how much of it is used. Made at the first reservation,
   * and longer where a bucket would take the place of one that is not past: a lane has little to
   * remember of the time around now, and what it has stays in the caches of this machine.
   */
  private long[] buckets;

  private final Past past;

  private long fullBefore;

  /** Cycles reserved since {@link #reset}. */
  double busy;

  /** One that may be asked for any time. */
  Lane() {
    this(new Past());
  }

  Lane(Past past) {
    this.past = past;
  }

  void reset() {
    if (busy == 0) {
      return;
    }
    Arrays.fill(buckets, 0);
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
    busy += cycles;
    long bucket = Math.max((long) time >> BUCKET_BITS, fullBefore);
    if (buckets == null) {
      buckets = new long[2 * FIRST_BUCKETS];
    }
    int at = at(bucket);
    double used = used(at);
    double left = used + cycles;
    if (left <= BUCKET && used < BUCKET && buckets[at] >> FULL_BITS == bucket + 1) {
      // Mostly there is room at once.
      buckets[at + 1] = Double.doubleToRawLongBits(left);
      return Math.max(time, (double) bucket * BUCKET + used) + cycles;
    }
    return reserveFrom(bucket, time, cycles);
  }

  private double reserveFrom(long first, double time, double cycles) {
    long bucket = first;
    int at = index(bucket);
    double used = used(at);
    if (used >= BUCKET) {
      while (used >= BUCKET) {
        bucket += buckets[at] & FULL;
        at = index(bucket);
        used = used(at);
      }
      pass(first, bucket);
    }
    if (first == fullBefore) {
      fullBefore = bucket;
    }
    double start = Math.max(time, (double) bucket * BUCKET + used);
    double left = used + cycles;
    long b = bucket;
    while (left > BUCKET) {
      buckets[at + 1] = Double.doubleToRawLongBits(BUCKET);
      left -= BUCKET;
      at = index(++b);
      left += used(at);
    }
    buckets[at + 1] = Double.doubleToRawLongBits(left);
    return start + cycles;
  }

  /** The buckets from one on were found full up to another: next time that is one step. */
  private void pass(long first, long bucket) {
    for (long b = first; b < bucket; ) {
      int passed = at(b);
      long step = buckets[passed] & FULL;
      buckets[passed] = buckets[passed] & ~FULL | bucket - b;
      b += step;
    }
  }

  private double used(int at) {
    return Double.longBitsToDouble(buckets[at + 1]);
  }

  private int at(long bucket) {
    return 2 * (int) bucket & buckets.length - 1;
  }

  private int index(long bucket) {
    int at = at(bucket);
    if (buckets[at] >> FULL_BITS != bucket + 1) {
      at = add(bucket);
    }
    return at;
  }

  private int add(long bucket) {
    while (buckets.length < 2 * MOST_BUCKETS
        && buckets[at(bucket)] >> FULL_BITS > past.until() / BUCKET) {
      grow();
    }
    int at = at(bucket);
    buckets[at] = bucket + 1 << FULL_BITS | 1;
    buckets[at + 1] = 0;
    return at;
  }

  private void grow() {
    long[] before = buckets;
    buckets = new long[2 * before.length];
    for (int i = 0; i < before.length; i += 2) {
      int at = at((before[i] >> FULL_BITS) - 1);
      if (before[i] != 0) {
        buckets[at] = before[i];
        buckets[at + 1] = before[i + 1];
      }
    }
  }
}
