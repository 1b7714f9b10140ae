package dev.warpline.nvidia.classic;

import java.util.Arrays;

/** The instructions between issue and completion, as entries of arrays that are used again. */
final class InFlight {
  static final int NONE = -1;

  int[] warp = new int[256];
  int[] row = new int[256];
  int[] mask = new int[256];

  /** Lanes of the mask. */
  int[] lanes = new int[256];

  /** Place in the block's trace, for the payload. */
  int[] index = new int[256];

  /** Issue order. */
  long[] age = new long[256];

  /** Sector requests that have not come back. */
  int[] pending = new int[256];

  int[] scheduler = new int[256];

  /** Async-copy group that the instruction belongs to. */
  int[] group = new int[256];

  /** {@link ClassicCode} flags, with a generic address resolved. */
  int[] flags = new int[256];

  /** Farthest level that answered one of its sectors so far: 0 for L1, then L2 and DRAM. */
  int[] level = new int[256];

  /** Cycle of issue. */
  long[] issuedAt = new long[256];

  /** Cycle in which it left its operand collector. */
  long[] collectedAt = new long[256];

  /** Next entry of whatever list the entry stands in. */
  int[] next = new int[256];

  private int free;
  private int inUse;
  private long issued;

  InFlight() {
    link(0);
  }

  int take() {
    if (free == NONE) {
      int old = warp.length;
      warp = Arrays.copyOf(warp, old * 2);
      row = Arrays.copyOf(row, old * 2);
      mask = Arrays.copyOf(mask, old * 2);
      lanes = Arrays.copyOf(lanes, old * 2);
      index = Arrays.copyOf(index, old * 2);
      age = Arrays.copyOf(age, old * 2);
      pending = Arrays.copyOf(pending, old * 2);
      scheduler = Arrays.copyOf(scheduler, old * 2);
      group = Arrays.copyOf(group, old * 2);
      flags = Arrays.copyOf(flags, old * 2);
      level = Arrays.copyOf(level, old * 2);
      issuedAt = Arrays.copyOf(issuedAt, old * 2);
      collectedAt = Arrays.copyOf(collectedAt, old * 2);
      next = Arrays.copyOf(next, old * 2);
      link(old);
    }
    int entry = free;
    free = next[entry];
    next[entry] = NONE;
    pending[entry] = 0;
    level[entry] = 0;
    age[entry] = issued++;
    inUse++;
    return entry;
  }

  void giveBack(int entry) {
    next[entry] = free;
    free = entry;
    inUse--;
  }

  /** Entries in use: 0 when every instruction has completed. */
  int inUse() {
    return inUse;
  }

  private void link(int from) {
    for (int i = from; i < next.length; i++) {
      next[i] = i + 1 < next.length ? i + 1 : NONE;
    }
    free = from;
  }
}
