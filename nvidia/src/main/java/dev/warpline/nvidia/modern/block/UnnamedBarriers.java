package dev.warpline.nvidia.modern.block;

/**
 * Barriers of one block whose numbers the trace does not tell (BAR with two immediates and no
 * listing beside it). An arrival joins a barrier of its size that it is not in yet: one where the
 * same instruction arrived before if there is one, else the oldest. That pairs producers with
 * consumers as their numbers would.
 */
final class UnnamedBarriers {
  private static final int OPEN = 32;

  private final int[] expected = new int[OPEN];
  private final int[] arrived = new int[OPEN];
  private final int[] waiting = new int[OPEN];
  private final long[] rows = new long[OPEN];
  private final long[] last = new long[OPEN];
  private int open;

  /** Warps that the last completing arrival frees, by their number in the block. */
  int freed;

  /** When the last arrival of the completed barrier was taken. */
  long freedAt;

  void clear() {
    open = 0;
  }

  /** True if this arrival completes a barrier, see {@link #freed}. */
  boolean arrive(int warp, int itsRow, int warps, boolean waits, long taken) {
    int at = find(warp, itsRow, warps);
    if (at < 0) {
      if (open == OPEN) {
        throw new IllegalStateException("more than 32 unnamed barriers of a block are open");
      }
      at = open++;
      expected[at] = warps;
      arrived[at] = 0;
      waiting[at] = 0;
      rows[at] = 0;
      last[at] = 0;
    }
    arrived[at] |= 1 << warp;
    rows[at] |= 1L << itsRow;
    if (waits) {
      waiting[at] |= 1 << warp;
    }
    last[at] = Math.max(last[at], taken);
    if (Integer.bitCount(arrived[at]) < expected[at]) {
      return false;
    }
    freed = waiting[at];
    freedAt = last[at];
    open--;
    for (int i = at; i < open; i++) {
      expected[i] = expected[i + 1];
      arrived[i] = arrived[i + 1];
      waiting[i] = waiting[i + 1];
      rows[i] = rows[i + 1];
      last[i] = last[i + 1];
    }
    return true;
  }

  private int find(int warp, int itsRow, int warps) {
    int oldest = -1;
    for (int i = 0; i < open; i++) {
      if (expected[i] == warps && (arrived[i] >>> warp & 1) == 0) {
        if ((rows[i] >>> itsRow & 1) != 0) {
          return i;
        }
        if (oldest < 0) {
          oldest = i;
        }
      }
    }
    return oldest;
  }
}
