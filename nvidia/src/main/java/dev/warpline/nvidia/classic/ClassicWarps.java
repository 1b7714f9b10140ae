package dev.warpline.nvidia.classic;

import dev.warpline.trace.BlockTrace;

/**
 * The warp slots of an SM: what each warp replays, its instruction buffer, and, as one bit per
 * warp, who can be chosen for what.
 */
final class ClassicWarps {
  final int slots;
  final BlockTrace[] block;
  final ClassicCode[] code;

  /** Place of the next instruction to issue in the block's trace, and the end of the warp's. */
  final int[] next;

  final int[] end;

  /** Instructions in the buffer. */
  final byte[] buffered;

  /** Code row of the first of them. */
  final int[] headRow;

  private final byte[] headUnit;
  final int[] blockSlot;

  /** Instructions issued and not yet out of the pipeline. */
  final int[] inPipeline;

  /** Stores not yet acknowledged. */
  final int[] stores;

  /** Lanes of atomics not yet done. */
  final int[] atomicLanes;

  /** Warps that wait to be fetched for. */
  long needsFetch;

  /** Warps with something in the buffer. */
  long hasInstruction;

  /** Warps whose first buffered instruction has all its registers. */
  long registersReady;

  long atBarrier;
  long atFence;
  long inAtomic;
  long waitsForGroup;

  /** Warps that have issued everything but still have work in flight. */
  long finishing;

  /** Of those, the ones with nothing in flight any more. */
  long retirable;

  long live;

  /** Live warps. */
  int resident;

  /** Warps by the unit of the first instruction in their buffer. */
  final long[] byUnit = new long[UnitKind.COUNT];

  private final ClassicScoreboard scoreboard;
  private final int bufferEntries;

  /** Who wants to know what happens, null if nobody. */
  private WarpStates observer;

  ClassicWarps(int slots, int bufferEntries, ClassicScoreboard scoreboard) {
    if (slots > Long.SIZE) {
      throw new IllegalArgumentException(slots + " warps per SM: expected at most 64");
    }
    this.slots = slots;
    this.scoreboard = scoreboard;
    this.bufferEntries = bufferEntries;
    block = new BlockTrace[slots];
    code = new ClassicCode[slots];
    next = new int[slots];
    end = new int[slots];
    buffered = new byte[slots];
    headRow = new int[slots];
    headUnit = new byte[slots];
    blockSlot = new int[slots];
    inPipeline = new int[slots];
    stores = new int[slots];
    atomicLanes = new int[slots];
  }

  /** From now on somebody is told what happens. */
  void observe(WarpStates states) {
    observer = states;
  }

  /** Puts a warp with at least one instruction into a slot. */
  void launch(int warp, BlockTrace trace, int traceWarp, ClassicCode kernel, int slot) {
    long bit = 1L << warp;
    block[warp] = trace;
    code[warp] = kernel;
    next[warp] = trace.start(traceWarp);
    end[warp] = next[warp] + trace.count(traceWarp);
    buffered[warp] = 0;
    blockSlot[warp] = slot;
    live |= bit;
    resident++;
    needsFetch |= bit;
  }

  /** Puts the warp's next instructions into its buffer. */
  void fill(int warp) {
    buffered[warp] = (byte) Math.min(bufferEntries, end[warp] - next[warp]);
    hasInstruction |= 1L << warp;
    if (observer != null) {
      observer.decode(warp);
    }
    lookAtHead(warp);
  }

  /** The first buffered instruction has been issued. */
  void advance(int warp) {
    long bit = 1L << warp;
    next[warp]++;
    if (--buffered[warp] > 0) {
      byUnit[headUnit[warp]] &= ~bit;
      lookAtHead(warp);
      return;
    }
    byUnit[headUnit[warp]] &= ~bit;
    hasInstruction &= ~bit;
    registersReady &= ~bit;
    if (next[warp] < end[warp]) {
      needsFetch |= bit;
    } else {
      finishing |= bit;
    }
  }

  private void lookAtHead(int warp) {
    int row = block[warp].row(next[warp]);
    headRow[warp] = row;
    int unit = code[warp].unit[row];
    headUnit[warp] = (byte) unit;
    byUnit[unit] |= 1L << warp;
    checkRegisters(warp);
  }

  /** Looks again whether the first buffered instruction has its registers. */
  void checkRegisters(int warp) {
    long bit = 1L << warp;
    if ((hasInstruction & bit) == 0) {
      return;
    }
    if (scoreboard.collides(warp, code[warp], headRow[warp])) {
      registersReady &= ~bit;
      if (observer != null) {
        int register = scoreboard.collision(warp, code[warp], headRow[warp]);
        observer.collide(warp, register);
      }
    } else {
      registersReady |= bit;
    }
  }

  /** An instruction has read its registers: others may overwrite them. */
  void operandsRead(int warp, int row) {
    scoreboard.read(warp, code[warp], row);
    checkRegisters(warp);
  }

  /** Looks whether a warp that has issued everything can leave. */
  void checkRetirable(int warp) {
    long bit = 1L << warp;
    if ((finishing & bit) != 0
        && inPipeline[warp] == 0
        && stores[warp] == 0
        && scoreboard.pendingWrites(warp) == 0) {
      retirable |= bit;
    }
  }

  /** Frees a slot. */
  void retire(int warp) {
    long bit = ~(1L << warp);
    live &= bit;
    resident--;
    finishing &= bit;
    retirable &= bit;
    block[warp] = null;
    code[warp] = null;
  }

  /** Warps that may not issue for another reason than their registers. */
  long waiting() {
    return atBarrier | atFence | inAtomic | waitsForGroup;
  }

  /** Warps with an instruction that no wait holds back. */
  long valid() {
    return hasInstruction & ~waiting();
  }

  /** Whether the warp could have issued everything within so many cycles. */
  boolean mayFinishWithin(int warp, int cycles) {
    return end[warp] - next[warp] <= cycles;
  }
}
