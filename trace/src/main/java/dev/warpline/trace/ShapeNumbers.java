package dev.warpline.trace;

import java.util.Arrays;

/**
 * Numbers lists of addresses by how far apart their lanes are, so that what follows from that alone
 * need be found out only once. A reader has one; what others find out they keep by the number and
 * by {@link #whose}. There are so many numbers and no more: lists that come later have none.
 */
final class ShapeNumbers {
  /** A list without a number. */
  static final int NONE = 0;

  private static final int MOST = 1 << 12;
  private static final int PLACES_BITS = 13;

  /** Tells the numbers of one reader from those of others. */
  final Object whose = new Object();

  /** By number: distances from the first lane. */
  private long[][] distances = new long[64][];

  private int count = 1;

  /** Lists in a row that had no number when all were given: after many nobody looks any more. */
  private int inVain;

  /** Numbers by hash. */
  private final short[] places = new short[1 << PLACES_BITS];

  /** The number of a list of so many words, which begin with its first lane. */
  int of(long[] words, int from, int lanes) {
    if (inVain > MOST) {
      return NONE;
    }
    int at = place(words, from, lanes);
    for (; places[at] != NONE; at = at + 1 & places.length - 1) {
      if (isAlike(distances[places[at]], words, from, lanes)) {
        inVain = 0;
        return places[at];
      }
    }
    if (count == MOST) {
      inVain++;
      return NONE;
    }
    if (count == distances.length) {
      distances = Arrays.copyOf(distances, 2 * count);
    }
    long[] its = new long[lanes];
    Arrays.setAll(its, i -> words[from + i] - words[from]);
    distances[count] = its;
    places[at] = (short) count;
    return count++;
  }

  private static int place(long[] words, int from, int lanes) {
    long hash = lanes;
    for (int i = 1; i < lanes; i++) {
      hash = hash * 0x9E3779B97F4A7C15L + words[from + i] - words[from];
    }
    return (int) ((hash ^ hash >>> 29) * 0x9E3779B97F4A7C15L >>> Long.SIZE - PLACES_BITS);
  }

  private static boolean isAlike(long[] its, long[] words, int from, int lanes) {
    if (its.length != lanes) {
      return false;
    }
    for (int i = 1; i < lanes; i++) {
      if (words[from + i] - words[from] != its[i]) {
        return false;
      }
    }
    return true;
  }
}
