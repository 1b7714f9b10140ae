package dev.warpline.nvidia.modern;

import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.ControlBits;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.trace.BlockTrace;
import java.util.Arrays;

/**
 * State of an SM's resident warps, one array per field. A warp knows the earliest cycle of its next
 * instruction ({@link #readyAt}) and why it is not earlier, or sleeps ({@link #NEVER}) until an
 * event says more.
 */
final class Warps {
  static final long NEVER = Long.MAX_VALUE / 4;
  static final int COUNTERS = 6;
  private static final int PENDING = 64;
  private static final int REGISTERS = 256;

  private static final byte SELECTED = (byte) StallReason.SELECTED.ordinal();
  private static final byte NOT_SELECTED = (byte) StallReason.NOT_SELECTED.ordinal();
  private static final byte WAIT = (byte) StallReason.WAIT.ordinal();
  private static final byte DRAIN = (byte) StallReason.DRAIN.ordinal();

  final int slots;
  final boolean[] live;
  final boolean[] ended;
  final BlockTrace[] trace;
  final int[] block;
  final int[] warpOfBlock;
  final int[] at;
  final int[] end;
  final long[] age;
  final long[] readyAt;
  final byte[] reason;

  /** When the stall counter of the last instruction runs out; with it, what held it back. */
  final long[] stallUntil;

  final long[] fetchAt;
  final byte[] fetchReason;

  /** A barrier, fence or sleep: no issue before this. */
  final long[] heldUntil;

  final byte[] heldReason;

  /** Memory instructions that have not completed (loads) or not left the SM (stores). */
  final int[] inFlight;

  /** Cycle of the last event of an ended warp. */
  final long[] endAt;

  /** Cycle up to which a warp's time is charged to reasons, unless a recorder does that. */
  private final long[] charged;

  /** Until when a unit refused the warp's instruction, and the reason. */
  final long[] refusedUntil;

  final byte[] refusedReason;

  // Dependence counters: increments whose release is not known yet, latest known release.
  private final int[] open;
  private final long[] releaseAt;
  private final int[] openBefore;
  private final long[] releaseBefore;
  private final long[] visibleAt;
  private final byte[] counterReason;

  // Releases of each counter, kept only where code waits for a count.
  private long[] pending;
  private final int[] pendings;

  // Kernels without control bits: when each register's value is there.
  private long[] registerAt;
  private byte[] registerReason;
  private long[] predicateAt;

  private CodeRows code;
  private SmRecorder recorder;
  private final long[] stalls = new long[StallReason.COUNT];

  Warps(int slots) {
    this.slots = slots;
    live = new boolean[slots];
    ended = new boolean[slots];
    trace = new BlockTrace[slots];
    block = new int[slots];
    warpOfBlock = new int[slots];
    at = new int[slots];
    end = new int[slots];
    age = new long[slots];
    readyAt = new long[slots];
    reason = new byte[slots];
    stallUntil = new long[slots];
    fetchAt = new long[slots];
    fetchReason = new byte[slots];
    heldUntil = new long[slots];
    heldReason = new byte[slots];
    inFlight = new int[slots];
    endAt = new long[slots];
    charged = new long[slots];
    refusedUntil = new long[slots];
    refusedReason = new byte[slots];
    open = new int[slots * COUNTERS];
    releaseAt = new long[slots * COUNTERS];
    openBefore = new int[slots * COUNTERS];
    releaseBefore = new long[slots * COUNTERS];
    visibleAt = new long[slots * COUNTERS];
    counterReason = new byte[slots * COUNTERS];
    pendings = new int[slots * COUNTERS];
  }

  void startKernel(CodeRows code, SmRecorder recorder) {
    this.code = code;
    this.recorder = recorder;
    Arrays.fill(live, false);
    Arrays.fill(stalls, 0);
    Arrays.fill(readyAt, NEVER);
  }

  /** A warp becomes resident; its first instruction is there at {@code ready}. */
  void start(int w, BlockTrace from, int itsWarp, int itsBlock, long order, long now) {
    live[w] = true;
    ended[w] = false;
    trace[w] = from;
    block[w] = itsBlock;
    warpOfBlock[w] = itsWarp;
    at[w] = from.start(itsWarp);
    end[w] = at[w] + from.count(itsWarp);
    age[w] = order;
    stallUntil[w] = now;
    fetchAt[w] = now;
    heldUntil[w] = 0;
    inFlight[w] = 0;
    endAt[w] = now;
    charged[w] = now;
    refusedUntil[w] = 0;
    Arrays.fill(open, w * COUNTERS, (w + 1) * COUNTERS, 0);
    Arrays.fill(releaseAt, w * COUNTERS, (w + 1) * COUNTERS, 0);
    Arrays.fill(visibleAt, w * COUNTERS, (w + 1) * COUNTERS, 0);
    Arrays.fill(pendings, w * COUNTERS, (w + 1) * COUNTERS, 0);
    if (!code.controlled) {
      if (registerAt == null) {
        registerAt = new long[slots * REGISTERS];
        registerReason = new byte[slots * REGISTERS];
        predicateAt = new long[slots];
      }
      Arrays.fill(registerAt, w * REGISTERS, (w + 1) * REGISTERS, 0);
      predicateAt[w] = 0;
    }
    if (recorder != null) {
      recorder.start(w, now);
    }
  }

  int row(int w) {
    return trace[w].row(at[w]);
  }

  /** A counter goes up for an instruction issued now; its release is not known yet. */
  void open(int w, int counter, byte why, long now) {
    int c = w * COUNTERS + counter;
    openBefore[c] = open[c];
    releaseBefore[c] = releaseAt[c];
    visibleAt[c] = now + 2;
    open[c]++;
    counterReason[c] = why;
    if (code.hasDepbar && pendings[c] < PENDING) {
      if (pending == null) {
        pending = new long[slots * COUNTERS * PENDING];
      }
      pending[c * PENDING + pendings[c]++] = NEVER;
    }
  }

  /** The release of an open increment becomes known. */
  void close(int w, int counter, long when, byte why) {
    int c = w * COUNTERS + counter;
    open[c]--;
    if (when >= releaseAt[c]) {
      releaseAt[c] = when;
      counterReason[c] = why;
    }
    if (code.hasDepbar) {
      for (int i = 0; i < pendings[c]; i++) {
        if (pending[c * PENDING + i] == NEVER) {
          pending[c * PENDING + i] = when;
          break;
        }
      }
    }
  }

  /** A load's result comes later than was said. */
  void delay(int w, int row, long said, long when) {
    int counter = code.writeBarrier[row];
    if (counter != ControlBits.NO_BARRIER) {
      int c = w * COUNTERS + counter;
      releaseAt[c] = Math.max(releaseAt[c], when);
      if (releaseBefore[c] == said) {
        releaseBefore[c] = when;
      }
      for (int i = 0; i < pendings[c]; i++) {
        if (pending[c * PENDING + i] == said) {
          pending[c * PENDING + i] = when;
          break;
        }
      }
    }
    if (!code.controlled) {
      for (int r : code.destinations[row]) {
        if (registerAt[w * REGISTERS + r] == said) {
          registerAt[w * REGISTERS + r] = when;
        }
      }
    }
    if (!ended[w] && readyAt[w] != NEVER) {
      schedule(w);
    }
  }

  /** Without control bits: a register's value comes at a time, {@link #NEVER} if not known yet. */
  void setRegisters(int w, int row, long when, byte why) {
    for (int r : code.destinations[row]) {
      registerAt[w * REGISTERS + r] = when;
      registerReason[w * REGISTERS + r] = why;
    }
  }

  void setPredicate(int w, long when) {
    predicateAt[w] = when;
  }

  /** Finds out when the warp's next instruction may issue, as far as is known. */
  void schedule(int w) {
    int row = row(w);
    long ready = stallUntil[w];
    byte why = WAIT;
    if (fetchAt[w] > ready) {
      ready = fetchAt[w];
      why = fetchReason[w];
    }
    if (heldUntil[w] > ready) {
      ready = heldUntil[w];
      why = heldReason[w];
    }
    int mask = code.waitMask[row];
    if (code.action[row] == CodeRows.DEPBAR) {
      mask |= code.depbarZero[row];
    }
    while (mask != 0) {
      int c = w * COUNTERS + Integer.numberOfTrailingZeros(mask);
      mask &= mask - 1;
      boolean seen = stallUntil[w] >= visibleAt[c];
      int unknown = seen ? open[c] : openBefore[c];
      long release = seen ? releaseAt[c] : releaseBefore[c];
      if (unknown > 0) {
        ready = NEVER;
        why = counterReason[c];
      } else if (release > ready) {
        ready = release;
        why = counterReason[c];
      }
    }
    if (code.action[row] == CodeRows.DEPBAR
        && code.depbarCounter[row] != ControlBits.NO_BARRIER
        && code.depbarCounter[row] < COUNTERS) {
      int c = w * COUNTERS + code.depbarCounter[row];
      long when = countAtMost(c, code.depbarLimit[row], stallUntil[w]);
      if (when > ready) {
        ready = when;
        why = counterReason[c];
      }
    }
    if (!code.controlled) {
      for (int r : code.sources[row]) {
        if (registerAt[w * REGISTERS + r] > ready) {
          ready = registerAt[w * REGISTERS + r];
          why = registerReason[w * REGISTERS + r];
        }
      }
      for (int r : code.destinations[row]) {
        if (registerAt[w * REGISTERS + r] > ready) {
          ready = registerAt[w * REGISTERS + r];
          why = registerReason[w * REGISTERS + r];
        }
      }
      if (code.guarded[row] || code.unit[row] == CodeRows.UNIT_BRANCH) {
        ready = Math.max(ready, predicateAt[w]);
      }
    }
    readyAt[w] = Math.min(ready, NEVER);
    reason[w] = why;
  }

  /** When at most {@code limit} increments of a counter are outstanding. */
  private long countAtMost(int c, int limit, long now) {
    int base = c * PENDING;
    int n = pendings[c];
    if (n <= limit) {
      return 0;
    }
    long[] sorted = Arrays.copyOfRange(pending, base, base + n);
    Arrays.sort(sorted);
    long when = sorted[n - limit - 1];
    // The released ones will never matter again.
    int kept = 0;
    for (int i = 0; i < n; i++) {
      if (pending[base + i] > now) {
        pending[base + kept++] = pending[base + i];
      }
    }
    pendings[c] = kept;
    return when;
  }

  /** Charges the time up to an issue to its reasons. */
  void chargeIssue(int w, int row, long now, int lanes) {
    if (recorder != null) {
      recorder.issue(
          w,
          row,
          now,
          lanes,
          stallUntil[w],
          reason[w],
          readyAt[w],
          refusedReason[w],
          refusedUntil[w]);
      refusedUntil[w] = 0;
      return;
    }
    if (charged[w] < now) {
      charge(w, WAIT, Math.min(stallUntil[w], now));
      charge(w, reason[w], Math.min(readyAt[w], now));
      charge(w, refusedReason[w], Math.min(refusedUntil[w], now));
      charge(w, NOT_SELECTED, now);
    }
    refusedUntil[w] = 0;
    stalls[SELECTED]++;
    charged[w] = now + 1;
  }

  private void charge(int w, byte why, long until) {
    if (until > charged[w]) {
      stalls[why] += until - charged[w];
      charged[w] = until;
    }
  }

  void chargeEnd(int w, long when) {
    if (recorder != null) {
      recorder.end(w, end[w] > trace[w].start(warpOfBlock[w]) ? trace[w].row(end[w] - 1) : 0, when);
    } else {
      charge(w, DRAIN, when);
    }
  }

  /** Time of all warps so far, by reason. */
  long[] stalls() {
    return recorder == null ? stalls : recorder.total();
  }

  /** An instruction issued at a cycle has its result at another: for the timeline. */
  void completes(int w, int row, long issued, long done, boolean memory) {
    if (recorder != null) {
      recorder.completes(w, row, issued, done, memory);
    }
  }
}
