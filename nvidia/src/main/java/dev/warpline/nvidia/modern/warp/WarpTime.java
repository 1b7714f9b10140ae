package dev.warpline.nvidia.modern.warp;

import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.LineTrail;
import dev.warpline.engine.profile.LogEvent;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.Stage;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.modern.code.CodeRow;
import java.util.Arrays;

/**
 * Where the time of warps goes: every cycle of a warp's life is charged to one reason, in bulk when
 * it issues. A recorder, if there is one, does it by line of code.
 */
public final class WarpTime {
  private static final byte SELECTED = (byte) StallReason.SELECTED.ordinal();
  private static final byte NOT_SELECTED = (byte) StallReason.NOT_SELECTED.ordinal();
  private static final byte WAIT = (byte) StallReason.WAIT.ordinal();
  private static final byte DRAIN = (byte) StallReason.DRAIN.ordinal();

  private final long[] totals = new long[StallReason.COUNT];
  private SmRecorder recorder;

  void startKernel(SmRecorder recorder) {
    this.recorder = recorder;
    Arrays.fill(totals, 0);
  }

  void start(ResidentWarp warp, long now) {
    warp.charged = now;
    warp.refusedUntil = 0;
    if (recorder != null) {
      recorder.start(warp.slot, now);
    }
  }

  /** A warp that was ready could not issue, and will not before a cycle. */
  public void refuse(ResidentWarp warp, long until, byte why) {
    warp.refusedUntil = until;
    warp.refusedReason = why;
  }

  /** A warp issues: the time since its last issue is charged to what it waited for, in turn. */
  void issue(ResidentWarp warp, long now, long ready) {
    if (recorder != null) {
      record(warp, now, ready);
    } else {
      long from = warp.charged;
      if (from < now) {
        from = charge(WAIT, from, Math.min(warp.stallUntil, now));
        from = charge(warp.reason, from, Math.min(ready, now));
        from = charge(warp.refusedReason, from, Math.min(warp.refusedUntil, now));
        charge(NOT_SELECTED, from, now);
      }
      totals[SELECTED]++;
      warp.charged = now + 1;
    }
    warp.refusedUntil = 0;
  }

  private void record(ResidentWarp warp, long now, long ready) {
    recorder.issue(
        warp.slot,
        warp.row.index,
        now,
        Integer.bitCount(warp.trace.mask(warp.at)),
        warp.stallUntil,
        warp.reason,
        ready,
        warp.refusedReason,
        warp.refusedUntil);
  }

  /** Charges the time up to a cycle, if any; returns up to where all is charged. */
  private long charge(byte why, long from, long until) {
    if (until <= from) {
      return from;
    }
    totals[why] += until - from;
    return until;
  }

  void end(ResidentWarp warp) {
    if (recorder != null) {
      boolean ran = warp.end > warp.trace.start(warp.warpOfBlock);
      recorder.end(warp.slot, ran ? warp.trace.row(warp.end - 1) : 0, warp.endAt);
    } else {
      charge(DRAIN, warp.charged, warp.endAt);
    }
  }

  /** Time of all warps so far, by reason. */
  public long[] totals() {
    return recorder == null ? totals : recorder.total();
  }

  /**
   * An instruction issued at a cycle has its result at another: for the timeline.
   *
   * @param begins when it came to its unit
   */
  public void completes(int w, CodeRow row, long issued, long begins, long done, boolean memory) {
    if (recorder != null) {
      recorder.completes(w, row.index, issued, done, memory);
      long number = number(w, issued);
      recorder.stage(w, number, row.index, memory ? Stage.MEMORY : Stage.EXECUTE, begins, done);
      recorder.stage(w, number, row.index, Stage.WRITE_BACK, done, done + 1);
    }
  }

  /** A block was resident: for the levels over time. */
  public void block(long from, long until) {
    if (recorder != null) {
      recorder.block(from, until);
    }
  }

  /** A memory instruction held a place in its queue: for the levels over time. */
  public void queued(Level level, int w, CodeRow row, long from, long until) {
    if (recorder != null) {
      recorder.queued(level, w, row.index, from, until);
    }
  }

  /** Where accesses to a followed line are written; null if none is followed. */
  public LineTrail.Sm trail() {
    return recorder == null ? null : recorder.trail();
  }

  /** Whether a recorder looks on. */
  public boolean records() {
    return recorder != null;
  }

  /** Whether {@link #stages} writes anything. */
  public boolean seesStages() {
    return recorder != null && recorder.seesStages();
  }

  /**
   * The stages of an instruction up to issue and behind it.
   *
   * @param allocated when it passed Allocate; before its issue if it has no part there
   */
  public void stages(int w, CodeRow row, long fetched, long decoded, long issued, long allocated) {
    long number = number(w, issued);
    recorder.stage(w, number, row.index, Stage.FETCH, fetched, decoded - 1);
    recorder.stage(w, number, row.index, Stage.DECODE, decoded - 1, decoded);
    recorder.stage(w, number, row.index, Stage.BUFFER, decoded, issued);
    recorder.stage(w, number, row.index, Stage.ISSUE, issued, issued + 1);
    recorder.stage(w, number, row.index, Stage.CONTROL, issued + 1, issued + 2);
    recorder.stage(w, number, row.index, Stage.ALLOCATE, issued + 2, allocated + 1);
  }

  /** A warp issues once in a cycle. */
  private long number(int w, long issued) {
    return issued * Long.SIZE + w;
  }

  /** Writes an event of an instruction down if somebody asked. */
  public void log(long cycle, LogEvent event, int w, CodeRow row) {
    if (recorder != null && recorder.log() != null) {
      recorder.log().add(cycle, event, w, row.index);
    }
  }

  /** Whether {@link #log} writes anything. */
  boolean logs() {
    return recorder != null && recorder.log() != null;
  }

  /** Writes an event of a register down; those behind the last are dependence counters. */
  void log(long cycle, LogEvent event, int w, int row, int register) {
    recorder.log().add(cycle, event, w, row, register);
  }

  /** A memory instruction's sectors, those found in L1, and bank conflicts. */
  public void accesses(CodeRow row, long now, int sectors, int hits, int conflicts) {
    if (recorder != null) {
      recorder.access(row.index, now, sectors, hits, conflicts);
    }
  }

  /** Sectors that came for an instruction from beyond the SM. */
  public void filled(CodeRow row, int sectors, boolean fromDram) {
    if (recorder != null) {
      recorder.filled(row.index, sectors, fromDram);
    }
  }
}
