package dev.warpline.nvidia.classic;

/** Registers with a pending write, per warp, as bit sets. */
final class Scoreboard {
  private static final int WORDS = 5;

  private final long[] pending;
  private final long[] longOperation;
  private final int[] count;

  Scoreboard(int warps) {
    pending = new long[warps * WORDS];
    longOperation = new long[warps * WORDS];
    count = new int[warps];
  }

  /** Whether an instruction reads or writes a register that is still to be written. */
  boolean collides(int warp, ClassicCode code, int row) {
    if (count[warp] == 0) {
      return false;
    }
    int base = warp * WORDS;
    int d = code.destination[row];
    if (d != 0 && (pending[base + (d >> 6)] >>> d & 1) != 0) {
      return true;
    }
    int first = row * ClassicCode.MAX_SOURCES;
    for (int i = first + code.sources[row] - 1; i >= first; i--) {
      int s = code.source[i];
      if ((pending[base + (s >> 6)] >>> s & 1) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether an instruction needs a register that a load from memory is still to write. */
  boolean waitsForMemory(int warp, ClassicCode code, int row) {
    if (count[warp] == 0) {
      return false;
    }
    int base = warp * WORDS;
    int d = code.destination[row];
    boolean waits = d != 0 && (longOperation[base + (d >> 6)] >>> d & 1) != 0;
    int first = row * ClassicCode.MAX_SOURCES;
    for (int i = first; i < first + code.sources[row]; i++) {
      int s = code.source[i];
      waits |= (longOperation[base + (s >> 6)] >>> s & 1) != 0;
    }
    return waits;
  }

  void reserve(int warp, int register, boolean memory) {
    int at = warp * WORDS + (register >> 6);
    if ((pending[at] >>> register & 1) != 0) {
      throw new IllegalStateException(
          "warp " + warp + " reserves register " + (register - 1) + " twice");
    }
    pending[at] |= 1L << register;
    if (memory) {
      longOperation[at] |= 1L << register;
    }
    count[warp]++;
  }

  void release(int warp, int register) {
    int at = warp * WORDS + (register >> 6);
    pending[at] &= ~(1L << register);
    longOperation[at] &= ~(1L << register);
    count[warp]--;
  }

  /** Registers that a warp still waits for. */
  int pendingWrites(int warp) {
    return count[warp];
  }
}
