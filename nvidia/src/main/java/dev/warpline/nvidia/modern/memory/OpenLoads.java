package dev.warpline.nvidia.modern.memory;

import dev.warpline.nvidia.modern.code.CodeRow;
import java.util.Arrays;

/**
 * Loads that have begun and are not done, with the number of lines each still waits for. What they
 * wait for stands in the miss table; they are its waiters, by numbers that are used again.
 */
final class OpenLoads {
  static final int NONE = -1;

  int[] warp = new int[256];
  CodeRow[] row = new CodeRow[256];
  int[] open = new int[256];
  long[] done = new long[256];
  byte[] reason = new byte[256];
  int[] group = new int[256];
  long[] issued = new long[256];
  private int[] nextLoad = new int[256];
  private int freeLoad = NONE;
  private int loads;

  void startKernel() {
    loads = 0;
    freeLoad = NONE;
  }

  /**
   * A load starts to wait.
   *
   * @param itsGroup copy group, {@link #NONE} for a load into registers
   */
  int add(PathEntry access, long atLeast, byte why, int itsGroup) {
    int load = freeLoad;
    if (load != NONE) {
      freeLoad = nextLoad[load];
    } else {
      load = loads++;
      if (load == warp.length) {
        grow();
      }
    }
    warp[load] = access.warp;
    row[load] = access.row;
    open[load] = 0;
    done[load] = atLeast;
    reason[load] = why;
    group[load] = itsGroup;
    issued[load] = access.issued;
    return load;
  }

  private void grow() {
    int n = 2 * warp.length;
    warp = Arrays.copyOf(warp, n);
    row = Arrays.copyOf(row, n);
    open = Arrays.copyOf(open, n);
    done = Arrays.copyOf(done, n);
    reason = Arrays.copyOf(reason, n);
    group = Arrays.copyOf(group, n);
    issued = Arrays.copyOf(issued, n);
    nextLoad = Arrays.copyOf(nextLoad, n);
  }

  void remove(int load) {
    nextLoad[load] = freeLoad;
    freeLoad = load;
  }
}
