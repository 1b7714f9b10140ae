package dev.warpline.nvidia.modern.warp;

import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.LineTrail;
import dev.warpline.engine.profile.LogEvent;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.Stage;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.modern.code.CodeRow;

/**
 * Where the time of warps goes: every cycle of a warp's life is charged to one reason, in bulk when
 * it issues. A recorder, if there is one, does it by line of code.
 */
public final class WarpTime {
  private static final byte SELECTED = (byte) StallReason.SELECTED.ordinal();
  private static final byte NOT_SELECTED = (byte) StallReason.NOT_SELECTED.ordinal();
  private static final byte WAIT = (byte) StallReason.WAIT.ordinal();
  private static final byte DRAIN = (byte) StallReason.DRAIN.ordinal();

  private final int toAllocate;
  private boolean records;

  /** By warp: who looks on. */
  private final SmRecorder[] recorders;

  WarpTime(int slots, int toAllocate) {
    this.toAllocate = toAllocate;
    recorders = new SmRecorder[slots];
  }

  /** Kernels come to an empty SM: all of them are looked at, or none. */
  void startKernel(SmRecorder recorder) {
    records = recorder != null;
  }

  void start(ResidentWarp warp, long now) {
    warp.charged = now;
    warp.refusedUntil = 0;
    warp.refusedCycles = 0;
    recorders[warp.slot] = warp.kernel.recorder;
    if (records) {
      recorders[warp.slot].start(warp.slot, now);
    }
  }

  /**
   * A warp that was ready could not issue, and will not before a cycle. If it is refused again
   * later, another one was chosen when it could have issued.
   */
  public void refuse(ResidentWarp warp, long now, long until, byte why) {
    warp.refusedCycles += Math.max(0, until - Math.max(now, warp.refusedUntil));
    warp.refusedUntil = until;
    warp.refusedReason = why;
  }

  /**
   * Up to when the time since a warp was ready is charged to refusals: as many cycles as it was.
   */
  private static long refusedUntil(ResidentWarp warp, long ready) {
    return Math.max(Math.max(warp.charged, warp.stallUntil), ready) + warp.refusedCycles;
  }

  /** A warp issues: the time since its last issue is charged to what it waited for, in turn. */
  void issue(ResidentWarp warp, long now, long ready) {
    if (records) {
      record(warp, now, ready);
    } else {
      long[] stalls = warp.stalls;
      long from = warp.charged;
      if (from < now) {
        from = charge(stalls, WAIT, from, Math.min(warp.stallUntil, now));
        from = charge(stalls, warp.reason, from, Math.min(ready, now));
        from = charge(stalls, warp.refusedReason, from, Math.min(refusedUntil(warp, ready), now));
        charge(stalls, NOT_SELECTED, from, now);
      }
      stalls[SELECTED]++;
      warp.charged = now + 1;
    }
    warp.refusedUntil = 0;
    warp.refusedCycles = 0;
  }

  private void record(ResidentWarp warp, long now, long ready) {
    recorders[warp.slot].issue(
        warp.slot,
        warp.row.index,
        now,
        Integer.bitCount(warp.trace.mask(warp.at)),
        warp.stallUntil,
        warp.reason,
        ready,
        warp.refusedReason,
        refusedUntil(warp, ready));
  }

  /** Charges the time up to a cycle, if any; returns up to where all is charged. */
  private static long charge(long[] stalls, byte why, long from, long until) {
    if (until <= from) {
      return from;
    }
    stalls[why] += until - from;
    return until;
  }

  void end(ResidentWarp warp) {
    if (records) {
      boolean ran = warp.end > warp.trace.start(warp.warpOfBlock);
      recorders[warp.slot].end(warp.slot, ran ? warp.trace.row(warp.end - 1) : 0, warp.endAt);
    } else {
      charge(warp.stalls, DRAIN, warp.charged, warp.endAt);
    }
  }

  /**
   * An instruction issued at a cycle has its result at another: for the timeline.
   *
   * @param begins when it came to its unit
   */
  public void completes(int w, CodeRow row, long issued, long begins, long done, boolean memory) {
    if (records) {
      SmRecorder recorder = recorders[w];
      recorder.completes(w, row.index, issued, done, memory);
      long number = number(w, issued);
      recorder.stage(w, number, row.index, memory ? Stage.MEMORY : Stage.EXECUTE, begins, done);
      recorder.stage(w, number, row.index, Stage.WRITE_BACK, done, done + 1);
    }
  }

  /** A block was resident: for the levels over time. */
  public void block(ResidentKernel kernel, long from, long until) {
    if (records) {
      kernel.recorder.block(from, until);
    }
  }

  /** A memory instruction held a place in its queue: for the levels over time. */
  public void queued(Level level, int w, CodeRow row, long from, long until) {
    if (records) {
      recorders[w].queued(level, w, row.index, from, until);
    }
  }

  /** Where a warp's accesses to a followed line are written; null if none is followed. */
  public LineTrail.Sm trail(int w) {
    return recorders[w].trail();
  }

  /** Whether a recorder looks on. */
  public boolean records() {
    return records;
  }

  /** Whether somebody looks at single instructions of a warp. */
  public boolean follows(int w) {
    return records && (recorders[w].seesStages() || recorders[w].log() != null);
  }

  /** Whether {@link #stages} writes anything. */
  public boolean seesStages(int w) {
    return records && recorders[w].seesStages();
  }

  /**
   * The stages of an instruction up to issue and behind it.
   *
   * @param allocated when it passed Allocate; before its issue if it has no part there
   */
  public void stages(int w, CodeRow row, long fetched, long decoded, long issued, long allocated) {
    long number = number(w, issued);
    SmRecorder recorder = recorders[w];
    recorder.stage(w, number, row.index, Stage.FETCH, fetched, decoded - 1);
    recorder.stage(w, number, row.index, Stage.DECODE, decoded - 1, decoded);
    recorder.stage(w, number, row.index, Stage.BUFFER, decoded, issued);
    recorder.stage(w, number, row.index, Stage.ISSUE, issued, issued + 1);
    recorder.stage(w, number, row.index, Stage.CONTROL, issued + 1, issued + toAllocate);
    recorder.stage(w, number, row.index, Stage.ALLOCATE, issued + toAllocate, allocated + 1);
  }

  /** A warp issues once in a cycle. */
  private long number(int w, long issued) {
    return issued * Long.SIZE + w;
  }

  /** Writes an event of an instruction down if somebody asked. */
  public void log(long cycle, LogEvent event, int w, CodeRow row) {
    if (logs(w)) {
      recorders[w].log().add(cycle, event, w, row.index);
    }
  }

  /** Whether {@link #log} writes anything. */
  boolean logs(int w) {
    return records && recorders[w].log() != null;
  }

  /** Writes an event of a register down; those behind the last are dependence counters. */
  void log(long cycle, LogEvent event, int w, int row, int register) {
    recorders[w].log().add(cycle, event, w, row, register);
  }

  /** A memory instruction's sectors, those found in L1, and bank conflicts. */
  public void accesses(int w, CodeRow row, long now, int sectors, int hits, int conflicts) {
    if (records) {
      recorders[w].access(row.index, now, sectors, hits, conflicts);
    }
  }

  /** Sectors that came for an instruction from beyond the SM. */
  public void filled(int w, CodeRow row, int sectors, boolean fromDram) {
    if (records) {
      recorders[w].filled(row.index, sectors, fromDram);
    }
  }
}
