package dev.warpline.nvidia.classic;

import dev.warpline.engine.gpu.ClassicCoreSpec;
import dev.warpline.isa.Registers;

/**
 * Registers with a pending write, per warp, as bit sets; where the description asks for it, also
 * how many instructions have yet to read each register.
 */
final class ClassicScoreboard {
  /** Numbers are those of the registers plus 1. */
  private static final int WORDS = (Registers.COUNT + Long.SIZE) / Long.SIZE;

  private static final int REGISTERS = WORDS * Long.SIZE;

  private final long[] pending;
  private final long[] longOperation;
  private final int[] count;

  /** The words of a warp's pending set, joined: what is not in here is not pending. */
  private final long[] joined;

  /** Instructions about to read a register; null where nobody asks. */
  private final short[] readers;

  private final int mostReaders;

  ClassicScoreboard(int warps, ClassicCoreSpec.Scoreboard spec) {
    pending = new long[warps * WORDS];
    longOperation = new long[warps * WORDS];
    count = new int[warps];
    joined = new long[warps];
    mostReaders = spec.pendingReaders();
    readers = mostReaders == 0 ? null : new short[warps * REGISTERS];
  }

  /** Whether an instruction has to wait for a register. */
  boolean collides(int warp, ClassicCode code, int row) {
    return (joined[warp] & code.joined[row]) != 0 && meets(pending, warp, code, row)
        || readers != null && waitsForReaders(warp, code, row);
  }

  /** The first register that an instruction that collides has to wait for. */
  int collision(int warp, ClassicCode code, int row) {
    int from = code.trackedFrom[row];
    int reads = from + code.writes[row];
    for (int i = from; i < reads + code.reads[row]; i++) {
      int register = code.tracked[i];
      boolean written = (pending[warp * WORDS + (register >> 6)] >>> register & 1) != 0;
      if (written
          || readers != null
              && readers[warp * REGISTERS + register] >= (i < reads ? 1 : mostReaders)) {
        return register - 1;
      }
    }
    throw new IllegalStateException("row " + row + " collides with nothing");
  }

  /** Whether an instruction needs a register that a load from memory is still to write. */
  boolean waitsForMemory(int warp, ClassicCode code, int row) {
    return (joined[warp] & code.joined[row]) != 0 && meets(longOperation, warp, code, row);
  }

  private static boolean meets(long[] set, int warp, ClassicCode code, int row) {
    int base = warp * WORDS;
    int from = code.trackedFrom[row];
    for (int i = code.trackedFrom[row + 1] - 1; i >= from; i--) {
      int register = code.tracked[i];
      if ((set[base + (register >> 6)] >>> register & 1) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether it would overwrite what others have yet to read, or be one reader too many. */
  private boolean waitsForReaders(int warp, ClassicCode code, int row) {
    int base = warp * REGISTERS;
    int from = code.trackedFrom[row];
    int reads = from + code.writes[row];
    for (int i = from; i < reads; i++) {
      if (readers[base + code.tracked[i]] > 0) {
        return true;
      }
    }
    for (int i = reads; i < reads + code.reads[row]; i++) {
      if (readers[base + code.tracked[i]] >= mostReaders) {
        return true;
      }
    }
    return false;
  }

  /**
   * An instruction issues.
   *
   * @param memory whether its result comes from memory
   */
  void reserve(int warp, ClassicCode code, int row, boolean memory) {
    int from = code.trackedFrom[row];
    int reads = from + code.writes[row];
    for (int i = from; i < reads; i++) {
      reserve(warp, code.tracked[i], memory);
    }
    for (int i = reads; readers != null && i < reads + code.reads[row]; i++) {
      readers[warp * REGISTERS + code.tracked[i]]++;
    }
  }

  private void reserve(int warp, int register, boolean memory) {
    int at = warp * WORDS + (register >> 6);
    if ((pending[at] >>> register & 1) != 0) {
      throw new IllegalStateException(
          "warp " + warp + " reserves register " + (register - 1) + " twice");
    }
    pending[at] |= 1L << register;
    joined[warp] |= 1L << register;
    if (memory) {
      longOperation[at] |= 1L << register;
    }
    count[warp]++;
  }

  /** An instruction has written its registers. */
  void release(int warp, ClassicCode code, int row) {
    int from = code.trackedFrom[row];
    for (int i = from; i < from + code.writes[row]; i++) {
      int register = code.tracked[i];
      int at = warp * WORDS + (register >> 6);
      pending[at] &= ~(1L << register);
      longOperation[at] &= ~(1L << register);
      count[warp]--;
    }
    long all = 0;
    for (int i = warp * WORDS; count[warp] != 0 && i < (warp + 1) * WORDS; i++) {
      all |= pending[i];
    }
    joined[warp] = all;
  }

  /** An instruction has read its registers; only where readers are tracked. */
  void read(int warp, ClassicCode code, int row) {
    int from = code.trackedFrom[row] + code.writes[row];
    for (int i = from; i < from + code.reads[row]; i++) {
      readers[warp * REGISTERS + code.tracked[i]]--;
    }
  }

  /** Registers that a warp still waits for. */
  int pendingWrites(int warp) {
    return count[warp];
  }
}
