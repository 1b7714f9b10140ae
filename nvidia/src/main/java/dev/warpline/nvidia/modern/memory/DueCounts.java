package dev.warpline.nvidia.modern.memory;

import dev.warpline.engine.EventHeap;
import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Arrays;

/** How much is due in which cycle. */
final class DueCounts {
  /**
   * Cycles ahead that are counted one by one, at most; what is due later stands in a heap, and so
   * does what a cycle's count has no room for.
   */
  private static final int MOST = 16384;

  /** By cycle modulo their number: how much; and 64 cycles to a word, which of them have some. */
  private char[] due = new char[256];

  private long[] some = new long[due.length / Long.SIZE];

  /** All cycles before this are over. */
  private long from;

  /** Near cycles that have some, and the first of them, {@link Warps#NEVER} if there is none. */
  private int cycles;

  private long first = Warps.NEVER;

  private final EventHeap later = new EventHeap();

  void clear() {
    Arrays.fill(due, (char) 0);
    Arrays.fill(some, 0);
    from = 0;
    cycles = 0;
    first = Warps.NEVER;
    later.clear();
  }

  void add(long when, int count) {
    long cycle = Math.max(when, from);
    while (cycle - from >= due.length) {
      if (due.length == MOST) {
        later.add(cycle, count);
        return;
      }
      grow();
    }
    int at = (int) cycle & due.length - 1;
    if (due[at] + count > Character.MAX_VALUE) {
      later.add(cycle, count);
      return;
    }
    if (due[at] == 0) {
      some[at >>> 6] |= 1L << at;
      cycles++;
      first = Math.min(first, cycle);
    }
    due[at] += count;
  }

  /** The first cycle that has some, {@link Warps#NEVER} if none has. */
  long next() {
    return Math.min(first, Math.min(later.nextTime(), Warps.NEVER));
  }

  /** The first near cycle from {@link #from} on that has some. */
  private long near() {
    if (cycles == 0) {
      return Warps.NEVER;
    }
    int start = (int) from & due.length - 1;
    int word = start >>> 6;
    long left = some[word] & -1L << start;
    while (left == 0) {
      word = word + 1 & some.length - 1;
      left = some[word];
    }
    int at = (word << 6) + Long.numberOfTrailingZeros(left);
    return from + (at - start & due.length - 1);
  }

  /** What is due up to a cycle, which is forgotten. */
  int take(long now) {
    int taken = 0;
    while (first <= now) {
      int at = (int) first & due.length - 1;
      taken += due[at];
      due[at] = 0;
      some[at >>> 6] &= ~(1L << at);
      cycles--;
      from = first + 1;
      first = near();
    }
    while (later.nextTime() <= now) {
      taken += (int) later.remove();
    }
    from = Math.max(from, now + 1);
    return taken;
  }

  private void grow() {
    char[] old = due;
    due = new char[2 * old.length];
    some = new long[due.length / Long.SIZE];
    for (long cycle = from; cycle < from + old.length; cycle++) {
      char count = old[(int) cycle & old.length - 1];
      if (count != 0) {
        int at = (int) cycle & due.length - 1;
        due[at] = count;
        some[at >>> 6] |= 1L << at;
      }
    }
  }
}
