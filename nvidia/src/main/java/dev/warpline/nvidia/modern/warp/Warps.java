package dev.warpline.nvidia.modern.warp;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.LogEvent;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.ControlBits;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.trace.BlockTrace;
import java.util.Arrays;

/**
 * State of an SM's resident warps. A warp knows the earliest cycle of its next instruction ({@link
 * #readyAt}) and why it is not earlier, or sleeps ({@link #NEVER}) until an event says more.
 */
public final class Warps {
  /** Later than anything. */
  public static final long NEVER = Long.MAX_VALUE / 4;

  private static final int[] NO_REGISTERS = {};

  /** By reason: whether a warp waits for data from memory. */
  private static final boolean[] MEMORY = memoryReasons();

  private static final byte WAIT = (byte) StallReason.WAIT.ordinal();
  private static final byte BARRIER = (byte) StallReason.BARRIER.ordinal();

  public final int slots;

  /** By slot: the earliest cycle of its next instruction. */
  public final long[] readyAt;

  /** By sub-core: the earliest cycle at which one of its warps may issue. */
  public final long[] wakeAt;

  /** Cycles from issue to Allocate or a queue. */
  public final int toAllocate;

  public final DependenceCounters counters;
  public final Scoreboard scoreboard;
  public final WarpTime time;

  private final ResidentWarp[] all;
  private final ReadyWarps[] ready;

  public Warps(int slots, int subCores, ModernCoreSpec.Issue spec) {
    this.slots = slots;
    all = new ResidentWarp[slots];
    readyAt = new long[slots];
    wakeAt = new long[subCores];
    ready = new ReadyWarps[subCores];
    Arrays.setAll(ready, s -> new ReadyWarps(readyAt));
    Arrays.setAll(all, w -> new ResidentWarp(w, w % subCores, ready[w % subCores]));
    toAllocate = spec.toAllocate();
    counters = new DependenceCounters(slots, toAllocate);
    scoreboard = new Scoreboard(slots, spec);
    time = new WarpTime(slots, toAllocate);
  }

  public void startKernel(SmRecorder recorder) {
    time.startKernel(recorder);
    for (ResidentWarp warp : all) {
      warp.live = false;
    }
    Arrays.fill(readyAt, NEVER);
    Arrays.fill(wakeAt, NEVER);
    for (ReadyWarps its : ready) {
      its.clear();
    }
  }

  /** Those of a sub-core by when they may issue. */
  public ReadyWarps ready(int subCore) {
    return ready[subCore];
  }

  /** A warp slot. */
  public ResidentWarp get(int w) {
    return all[w];
  }

  /** A warp becomes resident; it may fetch from a cycle on. */
  public void start(
      int w, ResidentKernel kernel, BlockTrace from, int itsWarp, int itsBlock, long now) {
    ResidentWarp warp = all[w];
    warp.kernel = kernel;
    warp.code = kernel.code;
    warp.firstLine = kernel.firstLine;
    warp.controlled = kernel.code.controlled;
    warp.stalls = kernel.stalls;
    warp.live = true;
    warp.ended = false;
    warp.trace = from;
    warp.table = kernel.code.table();
    warp.rows = from.rows();
    warp.block = itsBlock;
    warp.warpOfBlock = itsWarp;
    warp.end = from.start(itsWarp) + from.count(itsWarp);
    moveTo(warp, from.start(itsWarp));
    warp.stallUntil = now;
    warp.fetchAt = NEVER;
    warp.fetchReason = (byte) StallReason.FETCH.ordinal();
    warp.among.set(w, NEVER);
    warp.reason = warp.fetchReason;
    warp.heldUntil = 0;
    warp.barredUntil = 0;
    warp.inFlight = 0;
    warp.endAt = now;
    counters.start(w, kernel.code);
    scoreboard.start(w, kernel.code);
    time.start(warp, now);
  }

  private static boolean[] memoryReasons() {
    boolean[] reasons = new boolean[StallReason.COUNT];
    for (StallReason reason : StallReason.values()) {
      reasons[reason.ordinal()] = reason.nsight().equals("long_scoreboard");
    }
    return reasons;
  }

  /** A warp's next instruction is another; returns whether there is one. */
  public boolean moveTo(ResidentWarp warp, int index) {
    warp.at = index;
    if (index == warp.end) {
      return false;
    }
    warp.row = warp.rowAt(index);
    return true;
  }

  public int subCoreOf(int w) {
    return all[w].subCore;
  }

  /** A sub-core should look at its warps at a cycle. */
  public void wake(int subCore, long when) {
    if (when < wakeAt[subCore]) {
      wakeAt[subCore] = when;
    }
  }

  /** The stall counter of the instruction that a warp issues runs out at a cycle. */
  public void stall(ResidentWarp warp, long until) {
    warp.stallUntil = until;
  }

  /** A warp has one more memory instruction under way. */
  public void memoryBegins(int w) {
    all[w].inFlight++;
  }

  /** One of them is over. */
  public void memoryEnds(int w) {
    all[w].inFlight--;
  }

  /** No issue before a cycle, {@link #NEVER} until {@link #free}; as the warp itself issues. */
  public void hold(int w, long until, byte why) {
    all[w].heldUntil = until;
    all[w].heldReason = why;
  }

  /** A warp waits at a barrier until it may {@link #pass}. */
  public void bar(int w, boolean defers) {
    all[w].barredUntil = NEVER;
    all[w].barrierDefers = defers;
  }

  /** The barrier that a warp waits at opens at a cycle. */
  public void pass(int w, long when) {
    all[w].barredUntil = when;
    reschedule(w);
  }

  /** Whether a barrier, a fence or the like holds a warp at a cycle. */
  public boolean isHeld(int w, long now) {
    return Math.max(all[w].heldUntil, all[w].barredUntil) > now;
  }

  /** Whether a warp's next instruction needs what a memory access has not brought at a cycle. */
  public boolean waitsForMemory(int w, long now) {
    return readyAt[w] > now && MEMORY[all[w].reason];
  }

  /** A held warp may go on from a cycle. */
  public void free(int w, long when) {
    all[w].heldUntil = when;
    reschedule(w);
  }

  /** The next instruction can issue from a cycle on, {@link #NEVER} if it is not fetched yet. */
  public void fetched(ResidentWarp warp, long when, byte why) {
    warp.fetchAt = when;
    warp.fetchReason = why;
  }

  /** A counter's open increment will be released at a cycle. */
  public void close(int w, int counter, long when, byte why) {
    if (counter != ControlBits.NO_BARRIER) {
      counters.close(w, counter, when, why);
      if (time.logs(w)) {
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
    if (!all[w].controlled) {
      scoreboard.known(w, row, result, sourcesFree, why);
    }
    if (time.logs(w)) {
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
    for (int r : all[w].controlled ? NO_REGISTERS : row.writes) {
      time.log(now, LogEvent.RESERVE, w, row.index, r);
    }
    for (int counter : new int[] {row.writeBarrier, row.readBarrier}) {
      if (counter != ControlBits.NO_BARRIER) {
        time.log(now, LogEvent.RESERVE, w, row.index, CodeRow.REGISTERS + counter);
      }
    }
  }

  private void logReleased(int w, CodeRow row, long when, int[] registers, int counter) {
    for (int r : all[w].controlled ? NO_REGISTERS : registers) {
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
    if (!all[w].controlled) {
      scoreboard.unknown(w, row, why);
    }
    if (time.logs(w)) {
      logReserved(w, row, now);
    }
  }

  /** The result of an instruction will be there at a cycle. */
  public void written(int w, CodeRow row, long when, byte why) {
    close(w, row.writeBarrier, when, why);
    if (!all[w].controlled) {
      scoreboard.written(w, row, when, why);
      if (time.logs(w)) {
        logReleased(w, row, when, row.writes, ControlBits.NO_BARRIER);
      }
      reschedule(w);
    }
  }

  /** The sources of an instruction will have been read at a cycle. */
  public void read(int w, CodeRow row, long when, byte why) {
    close(w, row.readBarrier, when, why);
    if (!all[w].controlled) {
      scoreboard.read(w, row, when, why);
      reschedule(w);
    }
  }

  /** A load's result comes later than was said. */
  public void delay(int w, CodeRow row, long said, long when) {
    counters.delay(w, row.writeBarrier, said, when);
    if (!all[w].controlled) {
      scoreboard.delay(w, row, said, when);
    }
    if (!all[w].ended && readyAt[w] != NEVER) {
      schedule(all[w]);
    }
  }

  /** Something a sleeping warp may wait for has become known. */
  public void reschedule(int w) {
    if (!all[w].ended && readyAt[w] == NEVER) {
      schedule(all[w]);
      wake(all[w].subCore, readyAt[w]);
    }
  }

  /** Finds out when the warp's next instruction may issue, as far as is known. */
  public void schedule(ResidentWarp warp) {
    CodeRow row = warp.row;
    long stall = warp.stallUntil;
    long ready = stall;
    byte why = WAIT;
    if (warp.fetchAt > ready) {
      ready = warp.fetchAt;
      why = warp.fetchReason;
    }
    if (warp.heldUntil > ready) {
      ready = warp.heldUntil;
      why = warp.heldReason;
    }
    if (warp.barredUntil > ready && !(warp.barrierDefers && row.passesBarriers)) {
      ready = warp.barredUntil;
      why = BARRIER;
    }
    if (row.waits) {
      long released = counters.readyAt(warp.slot, row, stall, ready);
      if (released > ready) {
        ready = released;
        why = counters.why;
        if (time.logs(warp.slot)) {
          int counter = CodeRow.REGISTERS + counters.counter;
          time.log(stall, LogEvent.COLLIDE, warp.slot, row.index, counter);
        }
      }
    }
    if (!warp.controlled) {
      long free = scoreboard.readyAt(warp.slot, row, stall, ready);
      if (free > ready) {
        ready = free;
        why = scoreboard.why;
        if (time.logs(warp.slot)) {
          time.log(stall, LogEvent.COLLIDE, warp.slot, row.index, scoreboard.register);
        }
      }
    }
    warp.among.set(warp.slot, Math.min(ready, NEVER));
    warp.reason = why;
  }

  /** What a warp waits for. */
  public StallReason reason(int w) {
    return StallReason.values()[all[w].reason];
  }

  /** A warp issues now: charges its time to what it waited for. */
  public void issues(ResidentWarp warp, long now) {
    time.issue(warp, now, readyAt[warp.slot]);
  }

  /** A warp issued its last instruction. */
  public void issuedLast(int w, long now) {
    all[w].ended = true;
    all[w].among.set(w, NEVER);
    lastsUntil(w, now);
  }

  /** A warp does not end before a cycle. */
  public void lastsUntil(int w, long when) {
    all[w].endAt = Math.max(all[w].endAt, when);
  }

  /** An ended warp leaves its slot. */
  public void leave(int w) {
    ResidentWarp warp = all[w];
    warp.live = false;
    time.end(warp);
  }
}
