package dev.warpline.nvidia.modern.memory;

import dev.warpline.nvidia.modern.code.CodeRow;
import java.util.Arrays;

/**
 * Loads on their way, the lines that were asked for, and which load waits for which line. Entries
 * are numbers that are used again.
 */
final class LoadTable {
  static final int NONE = -1;

  // Loads.
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

  // Misses: lines that were asked for, with the first load that waits.
  long[] line = new long[256];
  int[] place = new int[256];
  int[] sectors = new int[256];
  private int[] waiters = new int[256];
  private int[] nextMiss = new int[256];
  private int freeMiss = NONE;
  private int misses;

  // Pairs of a miss and a load.
  private int[] waiterLoad = new int[512];
  private int[] nextWaiter = new int[512];
  private int freeWaiter = NONE;
  private int waiting;

  void startKernel() {
    loads = 0;
    freeLoad = NONE;
    misses = 0;
    freeMiss = NONE;
    waiting = 0;
    freeWaiter = NONE;
  }

  /**
   * A load starts to wait.
   *
   * @param itsGroup copy group, {@link #NONE} for a load into registers
   */
  int newLoad(PathEntry access, long atLeast, byte why, int itsGroup) {
    int load = freeLoad;
    if (load != NONE) {
      freeLoad = nextLoad[load];
    } else {
      load = loads++;
      if (load == warp.length) {
        growLoads();
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

  private void growLoads() {
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

  void forgetLoad(int load) {
    nextLoad[load] = freeLoad;
    freeLoad = load;
  }

  /** A line is asked for; its place in L1, {@link #NONE} if it will not be kept. */
  int newMiss(long itsLine, int itsPlace, int itsSectors) {
    int miss = freeMiss;
    if (miss != NONE) {
      freeMiss = nextMiss[miss];
    } else {
      miss = misses++;
      if (miss == line.length) {
        growMisses();
      }
    }
    line[miss] = itsLine;
    place[miss] = itsPlace;
    sectors[miss] = itsSectors;
    waiters[miss] = NONE;
    return miss;
  }

  private void growMisses() {
    int n = 2 * line.length;
    line = Arrays.copyOf(line, n);
    place = Arrays.copyOf(place, n);
    sectors = Arrays.copyOf(sectors, n);
    waiters = Arrays.copyOf(waiters, n);
    nextMiss = Arrays.copyOf(nextMiss, n);
  }

  /** A load waits for a line. */
  void await(int miss, int load) {
    int waiter = freeWaiter;
    if (waiter != NONE) {
      freeWaiter = nextWaiter[waiter];
    } else {
      waiter = waiting++;
      if (waiter == waiterLoad.length) {
        waiterLoad = Arrays.copyOf(waiterLoad, 2 * waiter);
        nextWaiter = Arrays.copyOf(nextWaiter, 2 * waiter);
      }
    }
    waiterLoad[waiter] = load;
    nextWaiter[waiter] = waiters[miss];
    waiters[miss] = waiter;
    open[load]++;
  }

  /** Takes one of the loads that wait for a line, last first; {@link #NONE} if none is left. */
  int takeWaiter(int miss) {
    int waiter = waiters[miss];
    if (waiter == NONE) {
      return NONE;
    }
    waiters[miss] = nextWaiter[waiter];
    nextWaiter[waiter] = freeWaiter;
    freeWaiter = waiter;
    return waiterLoad[waiter];
  }

  void forgetMiss(int miss) {
    nextMiss[miss] = freeMiss;
    freeMiss = miss;
  }
}
