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

  /** By bucket and series: amounts, and of spans what lies in the buckets of their ends. */
  private final long[] values;

  /** Spans that cover this bucket whole and all behind it, less those that ended before it. */
  private final long[] begun;

  private int shift = 5;
  private int used;

  /**
   * @param series how many series
   * @param origin cycle at which the first bucket begins
   */
  public TimeBuckets(int series, long origin) {
    this.series = series;
    this.origin = origin;
    values = new long[series * BUCKETS];
    begun = new long[values.length];
  }

  /** Adds an amount to a series at one cycle. */
  public void add(int serie, long cycle, long amount) {
    values[bucket(cycle) * series + serie] += amount;
  }

  /** First cycle of the bucket that holds a cycle. */
  long bucketStart(long cycle) {
    return origin + ((long) bucket(cycle) << shift);
  }

  /** Adds one to a series for every cycle of [from, until). */
  public void addSpan(int serie, long from, long until) {
    // What is before the origin belongs to the first bucket, so that no cycle is lost.
    long at = Math.max(0, from - origin);
    long end = Math.max(0, until - origin);
    if (at != from - origin || end <= at) {
      values[serie] += until - from - (end - at);
      used = Math.max(used, 1);
      if (end <= at) {
        return;
      }
    }
    int last = bucket(until - 1);
    int first = (int) (at >> shift);
    if (first == last) {
      values[last * series + serie] += end - at;
      return;
    }
    values[first * series + serie] += ((long) (first + 1) << shift) - at;
    begun[(first + 1) * series + serie]++;
    values[last * series + serie] += end - ((long) last << shift);
    begun[last * series + serie]--;
  }

  /** All values, by bucket and series. */
  private long[] whole() {
    long[] all = values.clone();
    for (int s = 0; s < series; s++) {
      long covering = 0;
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        covering += begun[bucket * series + s];
        all[bucket * series + s] += covering << shift;
      }
    }
    return all;
  }

  /** Adds another set of the same series and origin. */
  public void addAll(TimeBuckets other) {
    while (shift < other.shift) {
      fold();
    }
    int down = shift - other.shift;
    long[] theirs = other.whole();
    for (int bucket = 0; bucket < other.used; bucket++) {
      int into = (bucket >> down) * series;
      for (int s = 0; s < series; s++) {
        values[into + s] += theirs[bucket * series + s];
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
    long[] one = series(serie);
    long begin = Math.max(0, from - origin);
    long end = Math.max(0, until - origin);
    for (long at = begin; at < end && at >> shift < used; ) {
      long edge = Math.min(end, ((at >> shift) + 1) << shift);
      sum += (double) one[(int) (at >> shift)] * (edge - at) / (1L << shift);
      at = edge;
    }
    return sum;
  }

  /** One series, {@link #used} values. */
  public long[] series(int serie) {
    long[] one = new long[used];
    long covering = 0;
    for (int bucket = 0; bucket < used; bucket++) {
      covering += begun[bucket * series + serie];
      one[bucket] = values[bucket * series + serie] + (covering << shift);
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
    int half = series * BUCKETS / 2;
    for (int into = 0; into < half; into++) {
      int even = into + into / series * series;
      int odd = even + series;
      // Spans that begin with the second of two buckets cover half of what it becomes.
      values[into] = values[even] + values[odd] + (begun[odd] << shift);
      begun[into] = begun[even] + (into < series ? 0 : begun[even - series]);
    }
    System.arraycopy(begun, 2 * half - series, begun, half, series);
    Arrays.fill(begun, half + series, begun.length, 0);
    Arrays.fill(values, half, values.length, 0);
    used = (used + 1) / 2;
    shift++;
  }
}
