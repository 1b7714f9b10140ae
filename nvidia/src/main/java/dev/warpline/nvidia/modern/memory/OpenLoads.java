package dev.warpline.nvidia.modern.memory;

import dev.warpline.nvidia.modern.code.CodeRow;
import java.util.Arrays;

/**
 * Loads that have begun and are not done. What they wait for stands in the miss table; they are its
 * waiters, by numbers that are used again.
 */
final class OpenLoads {
  static final int NONE = -1;

  /** One of them. */
  static final class Load {
    int warp;
    CodeRow row;

    /** Lines that it still waits for. */
    int open;

    long done;
    byte reason;
    int group;
    long issued;

    /** Passes of the shared path that it takes when all of it is there. */
    int passes;

    private int next;
  }

  private Load[] all = new Load[64];
  private int free = NONE;
  private int loads;

  void startKernel() {
    loads = 0;
    free = NONE;
  }

  /**
   * A load starts to wait.
   *
   * @param itsGroup copy group, {@link #NONE} for a load into registers
   * @return its number
   */
  int add(PathEntry access, long atLeast, byte why, int itsGroup) {
    int number = free;
    if (number != NONE) {
      free = all[number].next;
    } else {
      number = loads++;
      if (number == all.length) {
        all = Arrays.copyOf(all, 2 * number);
      }
      if (all[number] == null) {
        all[number] = new Load();
      }
    }
    Load load = all[number];
    load.warp = access.warp;
    load.row = access.row;
    load.open = 0;
    load.done = atLeast;
    load.reason = why;
    load.group = itsGroup;
    load.issued = access.issued;
    load.passes = 0;
    return number;
  }

  Load get(int number) {
    return all[number];
  }

  void remove(int number) {
    all[number].next = free;
    free = number;
  }
}
