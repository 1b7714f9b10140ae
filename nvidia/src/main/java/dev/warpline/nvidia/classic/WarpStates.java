package dev.warpline.nvidia.classic;

import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;

/**
 * Charges every cycle of every warp to a reason, from what the issue stage sees: bit sets of warps
 * by what holds them. Only a warp whose state changes costs anything; cycles that the SM sleeps
 * through belong to the state before.
 */
final class WarpStates {
  private static final int FETCH = 0;
  private static final int DRAIN = 1;
  private static final int BARRIER = 2;
  private static final int FENCE = 3;
  private static final int ATOMIC = 4;
  private static final int COPY = 5;
  private static final int REGISTER = 6;
  private static final int UNIT = 7;
  private static final int NOT_SELECTED = 8;
  private static final int STATES = 9;

  private static final StallReason[] REASONS = {
    StallReason.FETCH,
    StallReason.DRAIN,
    StallReason.BARRIER,
    StallReason.MEMBAR,
    StallReason.ATOMIC,
    StallReason.ASYNC_COPY,
    StallReason.WAIT,
    StallReason.UNIT_BUSY,
    StallReason.NOT_SELECTED
  };

  private final Warps warps;
  private final SmRecorder[] recorder;

  /** Warps by state, as of the last cycle; one just started or issued is in none. */
  private final long[] in = new long[STATES];

  private final byte[] state;

  /** What the register was that a warp got last: the one it waited for. */
  private final StallReason[] register;

  // What holds warps at the beginning of the issue stage.
  private long live;
  private long finishing;
  private long hasInstruction;
  private long registersReady;
  private long atBarrier;
  private long atFence;
  private long inAtomic;
  private long waitsForGroup;
  private long issued;

  WarpStates(Warps warps) {
    this.warps = warps;
    recorder = new SmRecorder[warps.slots];
    state = new byte[warps.slots];
    register = new StallReason[warps.slots];
  }

  /** A warp becomes resident; its first cycle is {@code first}. */
  void start(int warp, SmRecorder into, long first) {
    recorder[warp] = into;
    register[warp] = StallReason.WAIT;
    state[warp] = FETCH;
    if (into != null) {
      into.start(warp, first);
    }
  }

  /** A register was written; {@code why} is what it came from. */
  void written(int warp, StallReason why) {
    register[warp] = why;
  }

  /** The issue stage begins. */
  void beginIssue() {
    live = warps.live;
    finishing = warps.finishing;
    hasInstruction = warps.hasInstruction;
    registersReady = warps.registersReady;
    atBarrier = warps.atBarrier;
    atFence = warps.atFence;
    inAtomic = warps.inAtomic;
    waitsForGroup = warps.waitsForGroup;
    issued = 0;
  }

  /** A warp issues its first buffered instruction. */
  void issue(int warp, int row, int lanes, long now) {
    issued |= 1L << warp;
    if (recorder[warp] != null) {
      recorder[warp].charge(warp, row, reason(warp), now);
      recorder[warp].issue(warp, row, now, lanes);
    }
  }

  /**
   * The issue stage is over.
   *
   * @param eligible warps that could have issued
   */
  void endIssue(long eligible, long now) {
    long left = live & ~issued;
    left = move(left, finishing, DRAIN, now);
    left = move(left, atBarrier, BARRIER, now);
    left = move(left, atFence, FENCE, now);
    left = move(left, inAtomic, ATOMIC, now);
    left = move(left, waitsForGroup, COPY, now);
    left = move(left, ~hasInstruction, FETCH, now);
    left = move(left, ~registersReady, REGISTER, now);
    left = move(left, ~eligible, UNIT, now);
    move(left, -1L, NOT_SELECTED, now);
  }

  private long move(long left, long held, int to, long now) {
    long members = left & held;
    for (long entering = members & ~in[to]; entering != 0; entering &= entering - 1) {
      int warp = Long.numberOfTrailingZeros(entering);
      if (recorder[warp] != null) {
        recorder[warp].charge(warp, row(warp), reason(warp), now);
      }
      state[warp] = (byte) to;
    }
    in[to] = members;
    return left & ~held;
  }

  /** An instruction that a warp issued at a cycle is done. */
  void ended(int warp, int row, long issuedAt, long now, boolean memory) {
    if (recorder[warp] != null) {
      recorder[warp].completes(warp, row, issuedAt, now, memory);
    }
  }

  /** A warp leaves its slot; {@code end} is the first cycle without it. */
  void end(int warp, long end) {
    if (recorder[warp] != null) {
      recorder[warp].end(warp, row(warp), end);
      recorder[warp] = null;
    }
    for (int s = 0; s < STATES; s++) {
      in[s] &= ~(1L << warp);
    }
  }

  private StallReason reason(int warp) {
    int now = state[warp];
    if (now == REGISTER) {
      return register[warp];
    }
    if (now == UNIT && memoryNext(warp)) {
      return StallReason.MIO_QUEUE;
    }
    return REASONS[now];
  }

  private boolean memoryNext(int warp) {
    return (warps.hasInstruction >>> warp & 1) != 0
        && warps.code[warp].unit[warps.headRow[warp]] == UnitKind.MEMORY;
  }

  /** The instruction a warp waits with; its last one when it has issued everything. */
  private int row(int warp) {
    int next = Math.min(warps.next[warp], warps.end[warp] - 1);
    return warps.block[warp].row(next);
  }

  /** What a result comes from, by the unit that made it. */
  static StallReason ofUnit(int unit) {
    return switch (unit) {
      case UnitKind.SFU -> StallReason.MUFU;
      case UnitKind.SPECIALIZED + 2 -> StallReason.TENSOR;
      case UnitKind.DP -> StallReason.FP64;
      default -> StallReason.WAIT;
    };
  }
}
