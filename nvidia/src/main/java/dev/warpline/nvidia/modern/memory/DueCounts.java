package dev.warpline.nvidia.modern.memory;

import dev.warpline.engine.EventHeap;
import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Arrays;

/** How much is due in which cycle. */
final class DueCounts {
  /** Cycles ahead that are counted one by one; what is due later stands in a heap. */
  private static final int NEAR = 512;

  /** By cycle modulo their number: how much; and 64 cycles to a word, which of them have some. */
  private final int[] due = new int[NEAR];

  private final long[] some = new long[NEAR / Long.SIZE];

  /** All cycles before this are over. */
  private long from;

  /** Near cycles that have some. */
  private int cycles;

  private final EventHeap later = new EventHeap();

  void clear() {
    Arrays.fill(due, 0);
    Arrays.fill(some, 0);
    from = 0;
    cycles = 0;
    later.clear();
  }

  void add(long when, int count) {
    long cycle = Math.max(when, from);
    if (cycle - from >= NEAR) {
      later.add(cycle, count);
      return;
    }
    int at = (int) cycle & NEAR - 1;
    if (due[at] == 0) {
      some[at >>> 6] |= 1L << at;
      cycles++;
    }
    due[at] += count;
  }

  /** The first cycle that has some, {@link Warps#NEVER} if none has. */
  long next() {
    return Math.min(near(), Math.min(later.nextTime(), Warps.NEVER));
  }

  private long near() {
    if (cycles == 0) {
      return Warps.NEVER;
    }
    int start = (int) from & NEAR - 1;
    int word = start >>> 6;
    long left = some[word] & -1L << start;
    while (left == 0) {
      word = word + 1 & some.length - 1;
      left = some[word];
    }
    int at = (word << 6) + Long.numberOfTrailingZeros(left);
    return from + (at - start & NEAR - 1);
  }

  /** What is due up to a cycle, which is forgotten. */
  int take(long now) {
    int taken = 0;
    for (long cycle = near(); cycle <= now; cycle = near()) {
      int at = (int) cycle & NEAR - 1;
      taken += due[at];
      due[at] = 0;
      some[at >>> 6] &= ~(1L << at);
      cycles--;
      from = cycle + 1;
    }
    while (later.nextTime() <= now) {
      taken += (int) later.remove();
    }
    from = Math.max(from, now + 1);
    return taken;
  }
}
