package dev.warpline.nvidia.classic;

import dev.warpline.engine.profile.EventLog;
import dev.warpline.engine.profile.LogEvent;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.Stage;
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

  private final ClassicWarps warps;
  private final SmRecorder[] recorder;

  /** Warps by state, as of the last cycle; one just started or issued is in none. */
  private final long[] in = new long[STATES];

  private final byte[] state;

  /** What the register was that a warp got last: the one it waited for. */
  private final StallReason[] register;

  /** Number of the dynamic instruction at place 0 of a warp's block: the others follow. */
  private final long[] firstInstruction;

  private long instructions;

  /** When a warp's fetch began, and since when its instructions are in the buffer. */
  private final long[] fetchedAt;

  private final long[] bufferedAt;

  /** The cycle under way. */
  private long now;

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

  WarpStates(ClassicWarps warps) {
    this.warps = warps;
    recorder = new SmRecorder[warps.slots];
    state = new byte[warps.slots];
    register = new StallReason[warps.slots];
    firstInstruction = new long[warps.slots];
    fetchedAt = new long[warps.slots];
    bufferedAt = new long[warps.slots];
  }

  /** A cycle begins. */
  void begin(long cycle) {
    now = cycle;
  }

  /** A warp becomes resident; its first cycle is {@code first}. */
  void start(int warp, SmRecorder into, long first) {
    recorder[warp] = into;
    register[warp] = StallReason.WAIT;
    state[warp] = FETCH;
    firstInstruction[warp] = instructions - warps.next[warp];
    instructions += warps.end[warp] - warps.next[warp];
    if (into != null) {
      into.start(warp, first);
    }
  }

  /** A warp's next instructions are asked for. */
  void fetch(int warp) {
    fetchedAt[warp] = now;
    if (log(warp) != null) {
      log(warp).add(now, LogEvent.FETCH, warp, row(warp));
    }
  }

  /** A warp's buffer is filled. */
  void decode(int warp) {
    bufferedAt[warp] = now + 1;
    if (recorder[warp] == null || !recorder[warp].seesStages()) {
      return;
    }
    for (int i = 0; i < warps.buffered[warp]; i++) {
      int index = warps.next[warp] + i;
      int row = warps.block[warp].row(index);
      long number = firstInstruction[warp] + index;
      recorder[warp].stage(warp, number, row, Stage.FETCH, fetchedAt[warp], now);
      recorder[warp].stage(warp, number, row, Stage.DECODE, now, now + 1);
      if (log(warp) != null) {
        log(warp).add(now, LogEvent.DECODE, warp, row);
      }
    }
  }

  private EventLog log(int warp) {
    return recorder[warp] == null ? null : recorder[warp].log();
  }

  /** An event of registers of a warp's instruction: a range of those that its code tracks. */
  void registers(int warp, LogEvent event, int row, int from, int count) {
    if (log(warp) != null) {
      for (int i = from; i < from + count; i++) {
        log(warp).add(now, event, warp, row, warps.code[warp].tracked[i] - 1);
      }
    }
  }

  /** The first buffered instruction meets a register that is not ready. */
  void collide(int warp, int register) {
    if (log(warp) != null) {
      log(warp).add(now, LogEvent.COLLIDE, warp, warps.headRow[warp], register);
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
  void issue(int warp, int row, int lanes) {
    issued |= 1L << warp;
    if (recorder[warp] != null) {
      recorder[warp].charge(warp, row, reason(warp), now);
      recorder[warp].issue(warp, row, now, lanes);
      long number = firstInstruction[warp] + warps.next[warp];
      recorder[warp].stage(warp, number, row, Stage.BUFFER, bufferedAt[warp], now);
      recorder[warp].stage(warp, number, row, Stage.ISSUE, now, now + 1);
      if (log(warp) != null) {
        log(warp).add(now, LogEvent.ISSUE, warp, row);
      }
    }
  }

  /**
   * The issue stage is over.
   *
   * @param eligible warps that could have issued
   */
  void endIssue(long eligible) {
    long left = live & ~issued;
    left = move(left, finishing, DRAIN);
    left = move(left, atBarrier, BARRIER);
    left = move(left, atFence, FENCE);
    left = move(left, inAtomic, ATOMIC);
    left = move(left, waitsForGroup, COPY);
    left = move(left, ~hasInstruction, FETCH);
    left = move(left, ~registersReady, REGISTER);
    left = move(left, ~eligible, UNIT);
    move(left, -1L, NOT_SELECTED);
  }

  private long move(long left, long held, int to) {
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

  /** An instruction is done. */
  void ended(InFlight flight, int instruction, boolean memory) {
    int warp = flight.warp[instruction];
    SmRecorder into = recorder[warp];
    if (into == null || !into.seesStages()) {
      return;
    }
    int row = flight.row[instruction];
    long issued = flight.issuedAt[instruction];
    long collected = flight.collectedAt[instruction];
    long number = firstInstruction[warp] + flight.index[instruction];
    into.completes(warp, row, issued, now, memory);
    into.stage(warp, number, row, Stage.COLLECT, issued + 1, collected);
    into.stage(warp, number, row, memory ? Stage.MEMORY : Stage.EXECUTE, collected, now);
    into.stage(warp, number, row, Stage.WRITE_BACK, now, now + 1);
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
    int held = state[warp];
    if (held == REGISTER) {
      return register[warp];
    }
    if (held == UNIT && memoryNext(warp)) {
      return StallReason.MIO_QUEUE;
    }
    return REASONS[held];
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
