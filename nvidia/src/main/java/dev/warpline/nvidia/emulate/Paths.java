package dev.warpline.nvidia.emulate;

/**
 * The lanes of a warp in groups that have the same PC. One group runs; the others wait on a stack,
 * ready or at a barrier. What H200 traces show: of the two sides of a branch the one with fewer
 * lanes runs first (the fall-through when equal), until it ends or waits; then the group that was
 * left last.
 */
final class Paths {
  private static final int READY = -1;
  private static final int WARPSYNC = 100;
  private static final int BLOCK_BARRIER = 200;

  private final Warp warp;
  private final int[] pcs = new int[Warp.LANES + 1];
  private final int[] masks = new int[Warp.LANES + 1];
  private final int[] waiting = new int[Warp.LANES + 1];
  private final int[] wanted = new int[Warp.LANES + 1];
  private int count;

  /** PC and lanes of the group that runs; no lanes: none can run. */
  int pc;

  int active;

  Paths(Warp warp) {
    this.warp = warp;
  }

  void start(int lanes) {
    count = 0;
    pc = 0;
    active = lanes;
  }

  /** Leaves a group; ready ones with the same PC become one. */
  private void push(int pathPc, int mask, int state, int participants) {
    for (int i = 0; state == READY && i < count; i++) {
      if (waiting[i] == READY && pcs[i] == pathPc) {
        masks[i] |= mask;
        return;
      }
    }
    pcs[count] = pathPc;
    masks[count] = mask;
    waiting[count] = state;
    wanted[count++] = participants;
  }

  private void remove(int path) {
    count--;
    int moved = count - path;
    System.arraycopy(pcs, path + 1, pcs, path, moved);
    System.arraycopy(masks, path + 1, masks, path, moved);
    System.arraycopy(waiting, path + 1, waiting, path, moved);
    System.arraycopy(wanted, path + 1, wanted, path, moved);
  }

  /** The lanes of a mask go to a target, the others of the running group to the next PC. */
  void branch(int mask, int target) {
    int others = active & ~mask;
    int next = pc + SassInstruction.BYTES;
    if (mask == 0) {
      pc = next;
    } else if (others == 0) {
      pc = target;
    } else if (Integer.bitCount(mask) < Integer.bitCount(others)) {
      push(next, others, READY, 0);
      pc = target;
      active = mask;
    } else {
      push(target, mask, READY, 0);
      pc = next;
      active = others;
    }
  }

  /**
   * Lanes go to their own targets, one target at a time: those of the first lane go, the others
   * execute the branch again (an H200 counts a BRX once per target).
   */
  void branch(int mask, int[] targets) {
    if (mask == 0) {
      pc += SassInstruction.BYTES;
      return;
    }
    int target = targets[Integer.numberOfTrailingZeros(mask)];
    int same = 0;
    for (int m = mask; m != 0; m &= m - 1) {
      int lane = Integer.numberOfTrailingZeros(m);
      same |= targets[lane] == target ? 1 << lane : 0;
    }
    if (mask != active) {
      push(pc + SassInstruction.BYTES, active & ~mask, READY, 0);
    }
    if (same != mask) {
      push(pc, mask & ~same, READY, 0);
    }
    pc = target;
    active = same;
  }

  /** Lanes end. */
  void exit(int mask) {
    warp.alive &= ~mask;
    active &= ~mask;
    if (active == 0) {
      next();
    } else {
      pc += SassInstruction.BYTES;
    }
  }

  void begin(int barrier, int mask) {
    for (int m = mask; m != 0; m &= m - 1) {
      warp.barriers[barrier][Integer.numberOfTrailingZeros(m)] = mask;
    }
    pc += SassInstruction.BYTES;
  }

  /** Lanes no longer take part in a barrier. */
  void leave(int barrier, int mask) {
    int[] participants = warp.barriers[barrier];
    int all = 0;
    for (int m = mask; m != 0; m &= m - 1) {
      all |= participants[Integer.numberOfTrailingZeros(m)];
    }
    for (int m = all; m != 0; m &= m - 1) {
      participants[Integer.numberOfTrailingZeros(m)] &= ~mask;
    }
    pc += SassInstruction.BYTES;
  }

  /** The lanes of a mask wait at a convergence barrier; others of the group go on. */
  void join(int barrier, int mask) {
    suspend(mask, barrier, 0);
  }

  void syncWarp(int mask, int participants) {
    suspend(mask, WARPSYNC, participants);
  }

  /** Lanes wait for those that each names, and go on with these alone. */
  void syncGroups(int mask, int[] participants) {
    int next = pc + SassInstruction.BYTES;
    if ((active & ~mask) != 0) {
      push(next, active & ~mask, READY, 0);
    }
    for (int left = mask; left != 0; ) {
      int group = participants[Integer.numberOfTrailingZeros(left)];
      int same = 0;
      for (int m = left; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        same |= participants[lane] == group ? 1 << lane : 0;
      }
      push(next, same, WARPSYNC, group);
      left &= ~same;
    }
    active = 0;
    next();
  }

  void syncBlock(int mask, int barrier) {
    suspend(mask, BLOCK_BARRIER + barrier, 0);
  }

  private void suspend(int mask, int state, int participants) {
    int others = active & ~mask;
    int next = pc + SassInstruction.BYTES;
    if (others != 0) {
      push(next, others, READY, 0);
    }
    if (mask != 0) {
      push(next, mask, state, participants);
    }
    active = 0;
    next();
  }

  /** Lanes that wait at a barrier of the block. */
  int atBlockBarrier(int barrier) {
    int mask = 0;
    for (int i = 0; i < count; i++) {
      mask |= waiting[i] == BLOCK_BARRIER + barrier ? masks[i] : 0;
    }
    return mask;
  }

  /** Lets the lanes go on that wait at a barrier of the block. */
  void release(int barrier) {
    for (int i = 0; i < count; i++) {
      if (waiting[i] == BLOCK_BARRIER + barrier) {
        merge(i, waiting[i]);
        waiting[i] = READY;
      }
    }
    if (active == 0) {
      next();
    }
  }

  /** Joins to a path those above and below that wait for the same at the same PC. */
  private void merge(int path, int state) {
    for (int i = count - 1; i > path; i--) {
      if (waiting[i] == state && pcs[i] == pcs[path]) {
        masks[path] |= masks[i];
        remove(i);
      }
    }
  }

  /** Lets another ready group run, for the sake of lanes that wait for each other in a loop. */
  void rotate() {
    if (active != 0 && count > 0) {
      System.arraycopy(pcs, 0, pcs, 1, count);
      System.arraycopy(masks, 0, masks, 1, count);
      System.arraycopy(waiting, 0, waiting, 1, count);
      System.arraycopy(wanted, 0, wanted, 1, count);
      count++;
      pcs[0] = pc;
      masks[0] = active;
      waiting[0] = READY;
      wanted[0] = 0;
      active = 0;
      next();
    }
  }

  /** Chooses the group that runs: the last left of those that can. */
  private void next() {
    active = 0;
    for (int i = count - 1; i >= 0 && active == 0; i--) {
      if (waiting[i] == READY) {
        pc = pcs[i];
        active = masks[i];
        remove(i);
      } else {
        gather(i);
      }
    }
  }

  /** Lets those run that wait together with a path, if they have all arrived. */
  private void gather(int path) {
    int state = waiting[path];
    int met = met(path);
    if (met == 0) {
      return;
    }
    pc = pcs[path];
    for (int i = count - 1; i >= 0; i--) {
      if (waiting[i] == state && (masks[i] & ~met) == 0) {
        if (pcs[i] == pc) {
          active |= masks[i];
          remove(i);
        } else {
          waiting[i] = READY;
        }
      }
    }
  }

  /** The lanes that a waiting path may go on with, 0 if some are still expected. */
  private int met(int path) {
    int state = waiting[path];
    if (state >= BLOCK_BARRIER) {
      return 0;
    }
    int expected = state == WARPSYNC ? wanted[path] : participants(state, masks[path]);
    int arrived = 0;
    for (int i = 0; i < count; i++) {
      if (waiting[i] == state && (state == WARPSYNC || pcs[i] == pcs[path])) {
        arrived |= masks[i];
      }
    }
    boolean complete = (expected & warp.alive & ~arrived) == 0;
    return complete ? (expected | masks[path]) & arrived : 0;
  }

  private int participants(int barrier, int mask) {
    int all = 0;
    for (int m = mask; m != 0; m &= m - 1) {
      all |= warp.barriers[barrier][Integer.numberOfTrailingZeros(m)];
    }
    return all;
  }

  /** Whether lanes are left that have not exited. */
  boolean ended() {
    return active == 0 && count == 0;
  }

  /** Where the lanes are. */
  void hash(StateHash hash) {
    hash.add(pc);
    hash.add(active);
    hash.add(pcs, count);
    hash.add(masks, count);
    hash.add(waiting, count);
  }

  /** What the lanes wait for, for messages. */
  String describe() {
    StringBuilder text = new StringBuilder();
    if (active != 0) {
      text.append(String.format("lanes %08x at PC %04x, which they try again", active, pc));
    }
    for (int i = 0; i < count; i++) {
      String what =
          waiting[i] == READY
              ? "ready"
              : waiting[i] == WARPSYNC
                  ? "WARPSYNC"
                  : waiting[i] >= BLOCK_BARRIER
                      ? "barrier " + (waiting[i] - BLOCK_BARRIER)
                      : "B" + waiting[i];
      text.append(text.isEmpty() ? "" : ", ")
          .append(
              String.format(
                  "lanes %08x at PC %04x for %s", masks[i], pcs[i] - SassInstruction.BYTES, what));
    }
    return text.toString();
  }
}
