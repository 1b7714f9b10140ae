package dev.warpline.engine.profile;

import java.util.Arrays;

/**
 * Several series over time in a fixed number of buckets. Buckets start 32 cycles wide; when time
 * runs past the last one, neighbours are added together and the width doubles, so that sums stay
 * exact and memory stays the same however long the kernel runs.
 */
public final class TimeBuckets {
  /** Buckets kept; a finished kernel fills between half of them and all. */
  public static final int BUCKETS = 256;

  private final int series;
  private final long origin;
  private final long[] values;
  private int shift = 5;
  private int used;

  /** The bucket written last: its cycles and the place of its first series. */
  private long lastFrom;

  private long lastUntil;
  private int lastPlace;

  /**
   * @param series how many series
   * @param origin cycle at which the first bucket begins
   */
  public TimeBuckets(int series, long origin) {
    this.series = series;
    this.origin = origin;
    values = new long[series * BUCKETS];
  }

  /** Adds an amount to a series at one cycle. */
  public void add(int serie, long cycle, long amount) {
    if (cycle < lastFrom || cycle >= lastUntil) {
      remember(bucket(cycle));
    }
    values[lastPlace + serie] += amount;
  }

  /** First cycle of the bucket that holds a cycle. */
  long bucketStart(long cycle) {
    return origin + ((long) bucket(cycle) << shift);
  }

  private void remember(int bucket) {
    lastFrom = origin + ((long) bucket << shift);
    lastUntil = lastFrom + (1L << shift);
    lastPlace = bucket * series;
  }

  /** Adds one to a series for every cycle of [from, until). */
  public void addSpan(int serie, long from, long until) {
    if (from >= lastFrom && until <= lastUntil) {
      values[lastPlace + serie] += until - from;
      return;
    }
    // What is before the origin belongs to the first bucket, so that no cycle is lost.
    long at = Math.max(0, from - origin);
    long end = Math.max(0, until - origin);
    values[serie] += until - from - (end - at);
    used = Math.max(used, 1);
    if (end <= at) {
      return;
    }
    int last = bucket(until - 1);
    remember(last);
    int bucket = (int) (at >> shift);
    while (bucket < last) {
      long edge = (long) (bucket + 1) << shift;
      values[bucket * series + serie] += edge - at;
      at = edge;
      bucket++;
    }
    values[last * series + serie] += end - at;
  }

  /** Adds another set of the same series and origin. */
  public void addAll(TimeBuckets other) {
    while (shift < other.shift) {
      fold();
    }
    int down = shift - other.shift;
    for (int bucket = 0; bucket < other.used; bucket++) {
      int into = (bucket >> down) * series;
      for (int s = 0; s < series; s++) {
        values[into + s] += other.values[bucket * series + s];
      }
    }
    used = Math.max(used, (other.used + (1 << down) - 1) >> down);
  }

  /** Widens buckets to at least another's width, and shows at least as many. */
  void align(TimeBuckets other) {
    while (shift < other.shift) {
      fold();
    }
    if (shift == other.shift) {
      used = Math.max(used, other.used);
    }
  }

  /** Width of a bucket in cycles. */
  public long bucketCycles() {
    return 1L << shift;
  }

  /** Buckets that hold anything, from the origin on. */
  public int used() {
    return used;
  }

  /** What a series has between two cycles; of buckets that lie there in part, that part. */
  double sum(int serie, long from, long until) {
    double sum = 0;
    long begin = Math.max(0, from - origin);
    long end = Math.max(0, until - origin);
    for (long at = begin; at < end && at >> shift < used; ) {
      long edge = Math.min(end, ((at >> shift) + 1) << shift);
      sum += (double) values[(int) (at >> shift) * series + serie] * (edge - at) / (1L << shift);
      at = edge;
    }
    return sum;
  }

  /** One series, {@link #used} values. */
  public long[] series(int serie) {
    long[] one = new long[used];
    for (int bucket = 0; bucket < used; bucket++) {
      one[bucket] = values[bucket * series + serie];
    }
    return one;
  }

  private int bucket(long cycle) {
    long at = Math.max(0, cycle - origin);
    while (at >> shift >= BUCKETS) {
      fold();
    }
    int bucket = (int) (at >> shift);
    if (bucket >= used) {
      used = bucket + 1;
    }
    return bucket;
  }

  private void fold() {
    for (int bucket = 0; bucket < BUCKETS / 2; bucket++) {
      for (int s = 0; s < series; s++) {
        values[bucket * series + s] =
            values[2 * bucket * series + s] + values[(2 * bucket + 1) * series + s];
      }
    }
    Arrays.fill(values, series * BUCKETS / 2, values.length, 0);
    used = (used + 1) / 2;
    shift++;
    lastUntil = lastFrom;
  }
}
