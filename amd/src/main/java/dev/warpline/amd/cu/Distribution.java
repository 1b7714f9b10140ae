package dev.warpline.amd.cu;

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

  /** Names of what is counted, by the name of the distribution: every compute unit has the same. */
  private static final Map<String, String[]> KEYS = new ConcurrentHashMap<>();

  private final int least;
  private final int width;

  /** The width as a shift, -1 where it is none. */
  private final int shift;

  private final String[] keys;
  private final long[] counts;

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
    counts[SAMPLES]++;
    counts[SUM] += value;
    counts[SQUARES] += value * value;
    if (value < least) {
      counts[UNDERFLOWS]++;
      return;
    }
    long from = value - least;
    long bucket = FIRST_BUCKET + (shift >= 0 ? from >>> shift : from / width);
    counts[bucket < counts.length ? (int) bucket : OVERFLOWS]++;
  }

  /** Writes the sum of this and others of its kind. */
  static void putSum(Iterable<Distribution> parts, Map<String, Number> all) {
    long[] sums = null;
    String[] names = null;
    for (Distribution part : parts) {
      if (sums == null) {
        sums = new long[part.counts.length];
        names = part.keys;
      }
      for (int i = 0; part.counts[SAMPLES] != 0 && i < sums.length; i++) {
        sums[i] += part.counts[i];
      }
    }
    for (int i = 0; sums != null && i < sums.length; i++) {
      all.put(names[i], sums[i]);
    }
  }
}
