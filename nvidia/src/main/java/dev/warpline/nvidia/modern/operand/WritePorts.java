package dev.warpline.nvidia.modern.operand;

import dev.warpline.engine.Counter;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Arrays;

/**
 * The write ports of a sub-core's register banks. A fixed-latency result never waits: a result
 * queue forwards it. A load's result that comes in the same cycle and bank comes a cycle later, and
 * gives way no second time. Both are known ahead, in any order: whichever is second finds the
 * other.
 */
public final class WritePorts {
  /** Cycles that are told apart: results are known so far ahead, hardly ever farther. */
  private static final int CYCLES = 1024;

  private final Warps warps;

  /** Whether anything waits for a port. */
  private final boolean used;

  private final int banks;

  /** Cycles in which fixed-latency results come, and by bank those of loads. */
  private final Writes fixed;

  private final Writes[] loads;

  /** The last cycle in which a load's result comes, as far as is known. */
  private long lastLoad;

  /**
   * By bank and cycle: whose load it is, which row of its code, and whether it gave way; made when
   * the first load comes.
   */
  private int[] load;

  private static final int WARP_BITS = 6;

  @Counter("loads that waited for a write port of the register file")
  long writeWaits;

  /** Banks that are written by cycle. Small, since every instruction looks at it. */
  private static final class Writes {
    private final int bits;
    private final int perWord;
    private final int words;

    // Word after word its number in time, and for each of its cycles a bit per bank.
    private final long[] entries;

    Writes(int banks) {
      bits = Integer.SIZE - Integer.numberOfLeadingZeros(banks - 1);
      perWord = 6 - bits;
      words = CYCLES >> perWord;
      entries = new long[2 * words];
    }

    void clear() {
      Arrays.fill(entries, 0);
    }

    private int at(long cycle) {
      return 2 * ((int) (cycle >>> perWord) & words - 1);
    }

    /** The banks that are written in a cycle, as a mask. */
    int banks(long cycle) {
      int at = at(cycle);
      boolean there = entries[at] == cycle >>> perWord;
      return there ? (int) (entries[at + 1] >>> (cycle << bits)) & (1 << (1 << bits)) - 1 : 0;
    }

    void add(long cycle, int banks) {
      int at = at(cycle);
      if (entries[at] != cycle >>> perWord) {
        entries[at] = cycle >>> perWord;
        entries[at + 1] = 0;
      }
      entries[at + 1] |= (long) banks << (cycle << bits);
    }

    /** Nobody writes in a cycle any more; there is one bank. */
    void remove(long cycle) {
      entries[at(cycle) + 1] &= ~(1L << cycle);
    }
  }

  public WritePorts(Warps warps, int banks, boolean used) {
    this.warps = warps;
    this.used = used;
    this.banks = banks;
    fixed = new Writes(banks);
    loads = new Writes[banks];
    Arrays.setAll(loads, bank -> new Writes(1));
  }

  public void startKernel() {
    lastLoad = -1;
    fixed.clear();
    for (Writes bank : loads) {
      bank.clear();
    }
  }

  /** A fixed-latency instruction will write its result at a cycle. */
  public void fixed(CodeRow row, long when) {
    int written = row.writeBanks & 0xff;
    if (used && written != 0) {
      fixed.add(when, written);
      for (int m = when > lastLoad ? 0 : written; m != 0; m &= m - 1) {
        int bank = Integer.numberOfTrailingZeros(m);
        if (loads[bank].banks(when) != 0 && (load[index(bank, when)] & 1) == 0) {
          delayLoad(bank, when);
        }
      }
    }
  }

  private void delayLoad(int bank, long when) {
    loads[bank].remove(when);
    int its = load[index(bank, when)] >>> 1;
    int warp = its & (1 << WARP_BITS) - 1;
    CodeRow row = warps.get(warp).code.get(its >>> WARP_BITS);
    warps.delay(warp, row, when, when + 1);
    put(bank, when + 1, warp, row, true);
    writeWaits++;
  }

  /** A load's last register comes at a cycle; returns when it can be written. */
  public long load(CodeRow row, int warp, long when) {
    if (!used || row.writeBanks == 0) {
      return when;
    }
    int bank = row.lastBank;
    boolean taken = (fixed.banks(when) >>> bank & 1) != 0;
    long then = when;
    if (taken) {
      writeWaits++;
      then++;
    }
    put(bank, then, warp, row, taken);
    return then;
  }

  private void put(int bank, long when, int warp, CodeRow row, boolean later) {
    lastLoad = Math.max(lastLoad, when);
    loads[bank].add(when, 1);
    if (load == null) {
      load = new int[banks * CYCLES];
    }
    load[index(bank, when)] = (row.index << WARP_BITS | warp) << 1 | (later ? 1 : 0);
  }

  private int index(int bank, long when) {
    return (int) (when & CYCLES - 1) * banks + bank;
  }
}
