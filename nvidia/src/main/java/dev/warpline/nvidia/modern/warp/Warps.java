package dev.warpline.nvidia.modern.warp;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.LogEvent;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.ControlBits;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.trace.BlockTrace;
import java.util.Arrays;

/**
 * State of an SM's resident warps, one array per field. A warp knows the earliest cycle of its next
 * instruction ({@link #readyAt}) and why it is not earlier, or sleeps ({@link #NEVER}) until an
 * event says more. Other units read these arrays and change them through methods only.
 */
public final class Warps {
  /** Later than anything. */
  public static final long NEVER = Long.MAX_VALUE / 4;

  private static final int[] NO_REGISTERS = {};

  /** By reason: whether a warp waits for data from memory. */
  private static final boolean[] MEMORY = memoryReasons();

  private static final byte WAIT = (byte) StallReason.WAIT.ordinal();

  public final int slots;
  public final boolean[] live;
  public final boolean[] ended;
  public final BlockTrace[] trace;

  /** Place of the warp's block, and the warp's number in it. */
  public final int[] block;

  public final int[] warpOfBlock;

  /** Index of the next instruction in the block's trace, and of the one behind the last. */
  public final int[] at;

  public final int[] end;

  /** Row of that next instruction, as long as there is one. */
  public final CodeRow[] row;

  /** Larger is younger. */
  public final long[] age;

  public final long[] readyAt;

  /** When the stall counter of the last instruction runs out. */
  public final long[] stallUntil;

  /** Memory instructions that have not completed (loads) or not left the SM (stores). */
  public final int[] inFlight;

  /** Cycle of the last event of an ended warp. */
  public final long[] endAt;

  /** By sub-core: the earliest cycle at which one of its warps may issue. */
  public final long[] wakeAt;

  public final DependenceCounters counters;
  public final Scoreboard scoreboard;
  public final WarpTime time;

  private final byte[] reason;

  // When the next instruction has been fetched and decoded.
  private final long[] fetchAt;
  private final byte[] fetchReason;

  // A barrier, fence or sleep: no issue before this.
  private final long[] heldUntil;
  private final byte[] heldReason;

  private final int subCores;
  private CodeRows code;

  public Warps(int slots, int subCores, ModernCoreSpec.Issue spec) {
    this.slots = slots;
    this.subCores = subCores;
    live = new boolean[slots];
    ended = new boolean[slots];
    trace = new BlockTrace[slots];
    block = new int[slots];
    warpOfBlock = new int[slots];
    at = new int[slots];
    end = new int[slots];
    row = new CodeRow[slots];
    age = new long[slots];
    readyAt = new long[slots];
    stallUntil = new long[slots];
    inFlight = new int[slots];
    endAt = new long[slots];
    wakeAt = new long[subCores];
    reason = new byte[slots];
    fetchAt = new long[slots];
    fetchReason = new byte[slots];
    heldUntil = new long[slots];
    heldReason = new byte[slots];
    counters = new DependenceCounters(slots);
    scoreboard = new Scoreboard(slots, spec);
    time = new WarpTime(slots);
  }

  public void startKernel(CodeRows code, SmRecorder recorder) {
    this.code = code;
    counters.startKernel(code);
    scoreboard.startKernel(code);
    time.startKernel(recorder);
    Arrays.fill(live, false);
    Arrays.fill(readyAt, NEVER);
    Arrays.fill(wakeAt, NEVER);
  }

  /** A warp becomes resident; it may fetch from a cycle on. */
  public void start(int w, BlockTrace from, int itsWarp, int itsBlock, long order, long now) {
    live[w] = true;
    ended[w] = false;
    trace[w] = from;
    block[w] = itsBlock;
    warpOfBlock[w] = itsWarp;
    end[w] = from.start(itsWarp) + from.count(itsWarp);
    moveTo(w, from.start(itsWarp));
    age[w] = order;
    stallUntil[w] = now;
    fetchAt[w] = NEVER;
    fetchReason[w] = (byte) StallReason.FETCH.ordinal();
    readyAt[w] = NEVER;
    reason[w] = fetchReason[w];
    heldUntil[w] = 0;
    inFlight[w] = 0;
    endAt[w] = now;
    counters.start(w);
    scoreboard.start(w);
    time.start(w, now);
  }

  private static boolean[] memoryReasons() {
    boolean[] reasons = new boolean[StallReason.COUNT];
    for (StallReason reason : StallReason.values()) {
      reasons[reason.ordinal()] = reason.nsight().equals("long_scoreboard");
    }
    return reasons;
  }

  /** A warp's next instruction is another; returns whether there is one. */
  public boolean moveTo(int w, int index) {
    at[w] = index;
    if (index == end[w]) {
      return false;
    }
    row[w] = code.get(trace[w].row(index));
    return true;
  }

  public int subCoreOf(int w) {
    return w % subCores;
  }

  /** A sub-core should look at its warps at a cycle. */
  public void wake(int subCore, long when) {
    if (when < wakeAt[subCore]) {
      wakeAt[subCore] = when;
    }
  }

  /** No issue before a cycle, {@link #NEVER} until {@link #free}; as the warp itself issues. */
  public void hold(int w, long until, byte why) {
    heldUntil[w] = until;
    heldReason[w] = why;
  }

  /** Whether a barrier, a fence or the like holds a warp at a cycle. */
  public boolean isHeld(int w, long now) {
    return heldUntil[w] > now;
  }

  /** Whether a warp's next instruction needs what a memory access has not brought at a cycle. */
  public boolean waitsForMemory(int w, long now) {
    return readyAt[w] > now && MEMORY[reason[w]];
  }

  /** A held warp may go on from a cycle. */
  public void free(int w, long when) {
    heldUntil[w] = when;
    reschedule(w);
  }

  /** The next instruction can issue from a cycle on, {@link #NEVER} if it is not fetched yet. */
  public void fetched(int w, long when, byte why) {
    fetchAt[w] = when;
    fetchReason[w] = why;
  }

  /** A counter's open increment will be released at a cycle. */
  public void close(int w, int counter, long when, byte why) {
    if (counter != ControlBits.NO_BARRIER) {
      counters.close(w, counter, when, why);
      if (time.logs()) {
        time.log(when, LogEvent.RELEASE, w, 0, CodeRow.REGISTERS + counter);
      }
      reschedule(w);
    }
  }

  /** An instruction whose times are known as it issues: its counters, and what scoreboards see. */
  public void known(int w, CodeRow row, long result, long sourcesFree, byte why, long now) {
    int wb = row.writeBarrier;
    int rb = row.readBarrier;
    if (wb != ControlBits.NO_BARRIER) {
      counters.open(w, wb, why, now);
      counters.close(w, wb, result, why);
    }
    if (rb != ControlBits.NO_BARRIER) {
      counters.open(w, rb, why, now);
      counters.close(w, rb, sourcesFree, why);
    }
    if (!code.controlled) {
      scoreboard.known(w, row, result, sourcesFree, why);
    }
    if (time.logs()) {
      logKnown(w, row, result, sourcesFree, now);
    }
  }

  private void logKnown(int w, CodeRow row, long result, long sourcesFree, long now) {
    logReserved(w, row, now);
    logReleased(w, row, result, row.writes, row.writeBarrier);
    logReleased(w, row, sourcesFree, NO_REGISTERS, row.readBarrier);
  }

  /** What an instruction will write or read late: registers, or the counters that say so. */
  private void logReserved(int w, CodeRow row, long now) {
    for (int r : code.controlled ? NO_REGISTERS : row.writes) {
      time.log(now, LogEvent.RESERVE, w, row.index, r);
    }
    for (int counter : new int[] {row.writeBarrier, row.readBarrier}) {
      if (counter != ControlBits.NO_BARRIER) {
        time.log(now, LogEvent.RESERVE, w, row.index, CodeRow.REGISTERS + counter);
      }
    }
  }

  private void logReleased(int w, CodeRow row, long when, int[] registers, int counter) {
    for (int r : code.controlled ? NO_REGISTERS : registers) {
      time.log(when, LogEvent.RELEASE, w, row.index, r);
    }
    if (counter != ControlBits.NO_BARRIER) {
      time.log(when, LogEvent.RELEASE, w, row.index, CodeRow.REGISTERS + counter);
    }
  }

  /** An instruction whose times come later: see {@link #written} and {@link #read}. */
  public void unknown(int w, CodeRow row, byte why, long now) {
    int wb = row.writeBarrier;
    int rb = row.readBarrier;
    if (wb != ControlBits.NO_BARRIER) {
      counters.open(w, wb, why, now);
    }
    if (rb != ControlBits.NO_BARRIER) {
      counters.open(w, rb, why, now);
    }
    if (!code.controlled) {
      scoreboard.unknown(w, row, why);
    }
    if (time.logs()) {
      logReserved(w, row, now);
    }
  }

  /** The result of an instruction will be there at a cycle. */
  public void written(int w, CodeRow row, long when, byte why) {
    close(w, row.writeBarrier, when, why);
    if (!code.controlled) {
      scoreboard.written(w, row, when, why);
      if (time.logs()) {
        logReleased(w, row, when, row.writes, ControlBits.NO_BARRIER);
      }
      reschedule(w);
    }
  }

  /** The sources of an instruction will have been read at a cycle. */
  public void read(int w, CodeRow row, long when, byte why) {
    close(w, row.readBarrier, when, why);
    if (!code.controlled) {
      scoreboard.read(w, row, when, why);
      reschedule(w);
    }
  }

  /** A load's result comes later than was said. */
  public void delay(int w, CodeRow row, long said, long when) {
    counters.delay(w, row.writeBarrier, said, when);
    if (!code.controlled) {
      scoreboard.delay(w, row, said, when);
    }
    if (!ended[w] && readyAt[w] != NEVER) {
      schedule(w);
    }
  }

  /** Something a sleeping warp may wait for has become known. */
  public void reschedule(int w) {
    if (!ended[w] && readyAt[w] == NEVER) {
      schedule(w);
      wake(w % subCores, readyAt[w]);
    }
  }

  /** Finds out when the warp's next instruction may issue, as far as is known. */
  public void schedule(int w) {
    CodeRow row = this.row[w];
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
    if (row.waits) {
      long released = counters.readyAt(w, row, stallUntil[w], ready);
      if (released > ready) {
        ready = released;
        why = counters.why;
        if (time.logs()) {
          time.log(stallUntil[w], LogEvent.COLLIDE, w, row.index, CodeRow.REGISTERS + counters.counter);
        }
      }
    }
    if (!code.controlled) {
      long free = scoreboard.readyAt(w, row, stallUntil[w], ready);
      if (free > ready) {
        ready = free;
        why = scoreboard.why;
        if (time.logs()) {
          time.log(stallUntil[w], LogEvent.COLLIDE, w, row.index, scoreboard.register);
        }
      }
    }
    readyAt[w] = Math.min(ready, NEVER);
    reason[w] = why;
  }

  /** What a warp waits for. */
  public StallReason reason(int w) {
    return StallReason.values()[reason[w]];
  }

  /** A warp issues now: charges its time to what it waited for. */
  public void issues(int w, CodeRow row, long now, int lanes) {
    time.issue(w, row, now, lanes, stallUntil[w], reason[w], readyAt[w]);
  }

  /** A warp issued its last instruction. */
  public void issuedLast(int w, long now) {
    ended[w] = true;
    readyAt[w] = NEVER;
    endAt[w] = Math.max(endAt[w], now);
  }

  /** A warp does not end before a cycle. */
  public void lastsUntil(int w, long when) {
    endAt[w] = Math.max(endAt[w], when);
  }

  /** An ended warp leaves its slot. */
  public void leave(int w) {
    live[w] = false;
    boolean ran = end[w] > trace[w].start(warpOfBlock[w]);
    time.end(w, ran ? trace[w].row(end[w] - 1) : 0, endAt[w]);
  }
}
