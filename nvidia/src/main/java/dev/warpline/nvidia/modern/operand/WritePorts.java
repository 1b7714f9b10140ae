package dev.warpline.nvidia.modern.operand;

import dev.warpline.engine.Counter;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.nvidia.modern.warp.Warps;

/**
 * The write ports of a sub-core's register banks. A fixed-latency result never waits: a result
 * queue forwards it. A load's result that comes in the same cycle and bank comes a cycle later.
 * Both are known ahead, in any order: whichever is second finds the other.
 */
public final class WritePorts {
  private static final int CYCLES = 256;

  private final Warps warps;
  private final int banks;

  /** Whether anything waits for a port. */
  private final boolean used;

  private CodeRows code;

  // By bank and cycle: the cycle of a fixed-latency result, and of a load's.
  private final long[] fixedAt;
  private final long[] loadAt;
  private final int[] loadWarp;
  private final int[] loadRow;

  @Counter("loads that waited for a write port of the register file")
  long writeWaits;

  public WritePorts(Warps warps, int banks, boolean used) {
    this.warps = warps;
    this.banks = banks;
    this.used = used;
    fixedAt = new long[banks * CYCLES];
    loadAt = new long[banks * CYCLES];
    loadWarp = new int[banks * CYCLES];
    loadRow = new int[banks * CYCLES];
  }

  public void startKernel(CodeRows code) {
    this.code = code;
    java.util.Arrays.fill(fixedAt, 0);
    java.util.Arrays.fill(loadAt, 0);
  }

  /** A fixed-latency instruction will write its result at a cycle. */
  public void fixed(int row, long when) {
    int mask = code.writeBanks[row];
    if (mask != 0 && used) {
      write(mask, when);
    }
  }

  private void write(int mask, long when) {
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
  public long load(int row, int warp, long when) {
    if (!used || code.writeBanks[row] == 0) {
      return when;
    }
    int bank = code.lastBank[row];
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
