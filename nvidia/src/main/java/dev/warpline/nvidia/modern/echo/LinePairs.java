package dev.warpline.nvidia.modern.echo;

import java.util.Arrays;

/** Lines of a simulated SM and what an echo reads and writes instead. */
final class LinePairs {
  private static final int FIRST = 64;

  private long[] from = new long[FIRST];
  private long[] to = new long[FIRST];
  private int size;

  void clear() {
    Arrays.fill(from, 0);
    size = 0;
  }

  /** A line is another one from now on. */
  void put(long line, long other) {
    long key = line + 1;
    int at = at(key);
    if (from[at] == 0) {
      if (4 * ++size > 3 * from.length) {
        grow();
        at = at(key);
      }
      from[at] = key;
    }
    to[at] = other;
  }

  /** What a line is instead, or -1. */
  long get(long line) {
    int at = at(line + 1);
    return from[at] == 0 ? -1 : to[at];
  }

  /** Where a key is, or would be. */
  private int at(long key) {
    long hash = key * 0x9e3779b97f4a7c15L;
    int mask = from.length - 1;
    int at = (int) (hash >>> 40) & mask;
    while (from[at] != 0 && from[at] != key) {
      at = at + 1 & mask;
    }
    return at;
  }

  private void grow() {
    long[] keys = from;
    long[] values = to;
    from = new long[2 * keys.length];
    to = new long[2 * keys.length];
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] != 0) {
        int at = at(keys[i]);
        from[at] = keys[i];
        to[at] = values[i];
      }
    }
  }
}
