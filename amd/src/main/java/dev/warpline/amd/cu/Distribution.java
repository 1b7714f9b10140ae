package dev.warpline.amd.cu;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How often a value came up, in buckets of equal width, as gem5's distributions are kept. */
final class Distribution {
  private static final int SAMPLES = 0;
  private static final int SUM = 1;
  private static final int SQUARES = 2;
  private static final int UNDERFLOWS = 3;
  private static final int OVERFLOWS = 4;
  private static final int FIRST_BUCKET = 5;

  /** Distributions up to this value count each value, which is quicker, until they are asked. */
  private static final int SMALL = 128;

  /** Names of what is counted, by the name of the distribution: every compute unit has the same. */
  private static final Map<String, String[]> KEYS = new ConcurrentHashMap<>();

  private final int least;
  private final int width;

  /** The width as a shift, -1 where it is none. */
  private final int shift;

  private final String[] keys;
  private final long[] counts;

  /** How often each of the values was sampled that are not in {@link #counts} yet. */
  private final long[] small;

  /**
   * @param name as in gem5
   * @param least value of the first bucket
   * @param most value of the last bucket
   */
  Distribution(String name, int least, int most, int width) {
    this.least = least;
    this.width = width;
    shift = Integer.bitCount(width) == 1 ? Integer.numberOfTrailingZeros(width) : -1;
    counts = new long[FIRST_BUCKET + (most - least) / width + 1];
    small = new long[most < SMALL ? most + 1 : 0];
    keys = KEYS.computeIfAbsent(name, this::keys);
  }

  private String[] keys(String name) {
    String[] all = new String[counts.length];
    String prefix = "dist." + name + "::";
    all[SAMPLES] = prefix + "samples";
    all[SUM] = prefix + "sum";
    all[SQUARES] = prefix + "squares";
    all[UNDERFLOWS] = prefix + "underflows";
    all[OVERFLOWS] = prefix + "overflows";
    for (int i = FIRST_BUCKET; i < all.length; i++) {
      int first = least + (i - FIRST_BUCKET) * width;
      all[i] = prefix + (width == 1 ? "" + first : first + "-" + (first + width - 1));
    }
    return all;
  }

  void sample(long value) {
    if (value >= 0 && value < small.length) {
      small[(int) value]++;
    } else {
      count(counts, value, 1);
    }
  }

  private void count(long[] into, long value, long times) {
    into[SAMPLES] += times;
    into[SUM] += value * times;
    into[SQUARES] += value * value * times;
    if (value < least) {
      into[UNDERFLOWS] += times;
      return;
    }
    long from = value - least;
    long bucket = FIRST_BUCKET + (shift >= 0 ? from >>> shift : from / width);
    into[bucket < into.length ? (int) bucket : OVERFLOWS] += times;
  }

  /** Writes the sum of some of a kind. */
  static void putSum(List<Distribution> parts, Map<String, Number> all) {
    Distribution one = parts.get(0);
    long[] sums = new long[one.counts.length];
    long[] small = new long[one.small.length];
    for (Distribution part : parts) {
      add(sums, part.counts);
      add(small, part.small);
    }
    for (int value = 0; value < small.length; value++) {
      one.count(sums, value, small[value]);
    }
    for (int i = 0; i < sums.length; i++) {
      all.put(one.keys[i], sums[i]);
    }
  }

  private static void add(long[] sums, long[] more) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += more[i];
    }
  }
}
