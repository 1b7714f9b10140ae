package dev.warpline.nvidia.modern.warp;

import java.util.Arrays;

/**
 * The warps of a sub-core by the cycle from which their next instruction may issue: those that may
 * now as a set, those that may soon by cycle, the others in one heap to be looked through.
 */
public final class ReadyWarps {
  private static final int CYCLES = Long.SIZE;

  /** Those ready at {@link #clock}. */
  private long ready;

  private long clock;

  /** By cycle modulo their number: who becomes ready then; and the cycles with somebody. */
  private final long[] soon = new long[CYCLES];

  private long soonCycles;

  /** Those who become ready later than that, and the first cycle of theirs. */
  private long later;

  private long laterAt;

  /** By slot: when. */
  private final long[] readyAt;

  ReadyWarps(long[] readyAt) {
    this.readyAt = readyAt;
  }

  void clear() {
    ready = 0;
    clock = 0;
    Arrays.fill(soon, 0);
    soonCycles = 0;
    later = 0;
    laterAt = Warps.NEVER;
  }

  /** A warp's next instruction may issue at another cycle than was said. */
  void set(int w, long when) {
    long bit = 1L << w;
    if ((ready & bit) != 0) {
      ready ^= bit;
    } else if (readyAt[w] < Warps.NEVER) {
      remove(bit, readyAt[w]);
    }
    readyAt[w] = when;
    add(bit, when);
  }

  /** One that is not ready yet is not among those that will be. */
  private void remove(long bit, long when) {
    if ((later & bit) != 0) {
      later ^= bit;
      findLater();
    } else {
      int at = (int) when & CYCLES - 1;
      soon[at] ^= bit;
      if (soon[at] == 0) {
        soonCycles ^= 1L << at;
      }
    }
  }

  private void add(long bit, long when) {
    long ahead = when - clock;
    if (ahead <= 0) {
      ready |= bit;
    } else if (ahead < CYCLES) {
      int at = (int) when & CYCLES - 1;
      soon[at] |= bit;
      soonCycles |= 1L << at;
    } else if (when < Warps.NEVER) {
      later |= bit;
      laterAt = Math.min(laterAt, when);
    }
  }

  private void findLater() {
    laterAt = Warps.NEVER;
    for (long m = later; m != 0; m &= m - 1) {
      laterAt = Math.min(laterAt, readyAt[Long.numberOfTrailingZeros(m)]);
    }
  }

  /** The warps that are ready at a cycle, which is not before that of the last call. */
  public long at(long now) {
    long passed = now - clock;
    if (passed > 0) {
      long over = passed < CYCLES ? Long.rotateLeft((1L << passed) - 1, (int) clock + 1) : -1L;
      long come = soonCycles & over;
      soonCycles ^= come;
      for (; come != 0; come &= come - 1) {
        int at = Long.numberOfTrailingZeros(come);
        ready |= soon[at];
        soon[at] = 0;
      }
      clock = now;
      if (laterAt - now < CYCLES) {
        comeNearer();
      }
    }
    return ready;
  }

  private void comeNearer() {
    long all = later;
    later = 0;
    laterAt = Warps.NEVER;
    for (long m = all; m != 0; m &= m - 1) {
      add(m & -m, readyAt[Long.numberOfTrailingZeros(m)]);
    }
  }

  /** When the first of those becomes ready that were not at the last call. */
  public long next() {
    return soonCycles == 0
        ? laterAt
        : clock + 1 + Long.numberOfTrailingZeros(Long.rotateRight(soonCycles, (int) clock + 1));
  }
}
