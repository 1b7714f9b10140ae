package dev.warpline.nvidia.modern.operand;

import dev.warpline.engine.Counter;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Arrays;

/**
 * The write ports of a sub-core's register banks. A fixed-latency result never waits: a result
 * queue forwards it. A load's result that comes in the same cycle and bank comes a cycle later.
 * Both are known ahead, in any order: whichever is second finds the other.
 */
public final class WritePorts {
  /** Cycles that are told apart: results are known so far ahead, hardly ever farther. */
  private static final int CYCLES = 1024;

  private final Warps warps;

  /** Whether anything waits for a port. */
  private final boolean used;

  private CodeRows code;

  /** By bank: cycles in which fixed-latency results come, and loads. */
  private final Cycles[] fixed;

  private final Cycles[] loads;

  // By bank and cycle: whose load it is.
  private final int[] loadWarp;
  private final CodeRow[] loadRow;

  @Counter("loads that waited for a write port of the register file")
  long writeWaits;

  /** A set of cycles not far from each other. Small, since every instruction looks at one. */
  private static final class Cycles {
    private static final int WORDS = CYCLES / Long.SIZE;

    // Of each word of 64 cycles: its number in time, and a bit for each cycle.
    private final long[] number = new long[WORDS];
    private final long[] bits = new long[WORDS];

    void clear() {
      Arrays.fill(bits, 0);
    }

    boolean has(long cycle) {
      int at = (int) (cycle >>> 6) & WORDS - 1;
      return number[at] == cycle >>> 6 && (bits[at] >>> cycle & 1) != 0;
    }

    void add(long cycle) {
      int at = (int) (cycle >>> 6) & WORDS - 1;
      if (number[at] != cycle >>> 6) {
        number[at] = cycle >>> 6;
        bits[at] = 0;
      }
      bits[at] |= 1L << cycle;
    }

    void remove(long cycle) {
      bits[(int) (cycle >>> 6) & WORDS - 1] &= ~(1L << cycle);
    }
  }

  public WritePorts(Warps warps, int banks, boolean used) {
    this.warps = warps;
    this.used = used;
    fixed = new Cycles[banks];
    loads = new Cycles[banks];
    Arrays.setAll(fixed, bank -> new Cycles());
    Arrays.setAll(loads, bank -> new Cycles());
    loadWarp = new int[banks * CYCLES];
    loadRow = new CodeRow[banks * CYCLES];
  }

  public void startKernel(CodeRows code) {
    this.code = code;
    for (int bank = 0; bank < fixed.length; bank++) {
      fixed[bank].clear();
      loads[bank].clear();
    }
  }

  /** A fixed-latency instruction will write its result at a cycle. */
  public void fixed(CodeRow row, long when) {
    if (used) {
      for (int banks = row.writeBanks & 0xff; banks != 0; banks &= banks - 1) {
        write(Integer.numberOfTrailingZeros(banks), when);
      }
    }
  }

  private void write(int bank, long when) {
    fixed[bank].add(when);
    if (loads[bank].has(when)) {
      loads[bank].remove(when);
      int load = index(bank, when);
      long then = freeAt(bank, when + 1);
      warps.delay(loadWarp[load], loadRow[load], when, then);
      put(bank, then, loadWarp[load], loadRow[load]);
      writeWaits++;
    }
  }

  /** A load's last register comes at a cycle; returns when it can be written. */
  public long load(CodeRow row, int warp, long when) {
    if (!used || row.writeBanks == 0) {
      return when;
    }
    int bank = row.lastBank;
    long then = freeAt(bank, when);
    if (then != when) {
      writeWaits++;
    }
    put(bank, then, warp, row);
    return then;
  }

  private long freeAt(int bank, long when) {
    while (fixed[bank].has(when)) {
      when++;
    }
    return when;
  }

  private void put(int bank, long when, int warp, CodeRow row) {
    loads[bank].add(when);
    int load = index(bank, when);
    loadWarp[load] = warp;
    loadRow[load] = row;
  }

  private static int index(int bank, long when) {
    return bank * CYCLES + (int) (when & CYCLES - 1);
  }
}
