package dev.warpline.nvidia.modern;

import dev.warpline.engine.Counter;

/**
 * The write ports of a sub-core's register banks. A fixed-latency result never writeWaits: a result
 * queue forwards it. A load's result that comes in the same cycle and bank comes a cycle later.
 * Both are known ahead, in any order: whichever is second finds the other.
 */
final class WritePorts {
  private static final int CYCLES = 256;

  private final Warps warps;
  private final int banks;

  // By bank and cycle: the cycle of a fixed-latency result, and of a load's.
  private final long[] fixedAt;
  private final long[] loadAt;
  private final int[] loadWarp;
  private final int[] loadRow;

  @Counter("loads that waited for a write port of the register file")
  long writeWaits;

  WritePorts(Warps warps, int banks) {
    this.warps = warps;
    this.banks = banks;
    fixedAt = new long[banks * CYCLES];
    loadAt = new long[banks * CYCLES];
    loadWarp = new int[banks * CYCLES];
    loadRow = new int[banks * CYCLES];
  }

  void reset() {
    java.util.Arrays.fill(fixedAt, 0);
    java.util.Arrays.fill(loadAt, 0);
    writeWaits = 0;
  }

  /** A fixed-latency instruction will write to the banks of a mask. */
  void fixed(int mask, long when) {
    for (int b = 0; b < banks; b++) {
      if ((mask >>> b & 1) != 0) {
        int at = index(b, when);
        fixedAt[at] = when;
        if (loadAt[at] == when) {
          loadAt[at] = 0;
          long then = freeAt(b, when + 1);
          warps.delay(loadWarp[at], loadRow[at], when, then);
          put(b, then, loadWarp[at], loadRow[at]);
          writeWaits++;
        }
      }
    }
  }

  /** A load's last register comes at a cycle; returns when it can be written. */
  long load(int bank, long when, int warp, int row) {
    long then = freeAt(bank, when);
    if (then != when) {
      writeWaits++;
    }
    put(bank, then, warp, row);
    return then;
  }

  private long freeAt(int bank, long when) {
    while (fixedAt[index(bank, when)] == when) {
      when++;
    }
    return when;
  }

  private void put(int bank, long when, int warp, int row) {
    int at = index(bank, when);
    loadAt[at] = when;
    loadWarp[at] = warp;
    loadRow[at] = row;
  }

  private static int index(int bank, long when) {
    return bank * CYCLES + (int) (when & CYCLES - 1);
  }
}
