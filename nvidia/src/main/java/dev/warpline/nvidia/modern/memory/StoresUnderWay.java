package dev.warpline.nvidia.modern.memory;

import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Arrays;

/** Sectors of stores that are on their way, by the cycle in which they are answered. */
final class StoresUnderWay {
  /** By cycle modulo their number: sectors; and 64 cycles to a word, which of them have some. */
  private int[] sectors = new int[1024];

  private long[] some = new long[sectors.length / Long.SIZE];

  /** All cycles before this are over. */
  private long from;

  /** Cycles that have some. */
  private int cycles;

  void clear() {
    Arrays.fill(sectors, 0);
    Arrays.fill(some, 0);
    from = 0;
    cycles = 0;
  }

  void add(long when, int count) {
    long cycle = Math.max(when, from);
    while (cycle - from >= sectors.length) {
      grow();
    }
    int at = (int) cycle & sectors.length - 1;
    if (sectors[at] == 0) {
      some[at >>> 6] |= 1L << at;
      cycles++;
    }
    sectors[at] += count;
  }

  /** The first cycle that has some, {@link Warps#NEVER} if none has. */
  long next() {
    if (cycles == 0) {
      return Warps.NEVER;
    }
    int start = (int) from & sectors.length - 1;
    int word = start >>> 6;
    long left = some[word] & -1L << start;
    while (left == 0) {
      word = word + 1 & some.length - 1;
      left = some[word];
    }
    int at = (word << 6) + Long.numberOfTrailingZeros(left);
    return from + (at - start & sectors.length - 1);
  }

  /** Sectors that are answered up to a cycle, which are forgotten. */
  int take(long now) {
    int taken = 0;
    for (long cycle = next(); cycle <= now; cycle = next()) {
      int at = (int) cycle & sectors.length - 1;
      taken += sectors[at];
      sectors[at] = 0;
      some[at >>> 6] &= ~(1L << at);
      cycles--;
      from = cycle + 1;
    }
    from = Math.max(from, now + 1);
    return taken;
  }

  private void grow() {
    int[] old = sectors;
    sectors = new int[2 * old.length];
    some = new long[sectors.length / Long.SIZE];
    for (long cycle = from; cycle < from + old.length; cycle++) {
      int count = old[(int) cycle & old.length - 1];
      if (count != 0) {
        int at = (int) cycle & sectors.length - 1;
        sectors[at] = count;
        some[at >>> 6] |= 1L << at;
      }
    }
  }
}
