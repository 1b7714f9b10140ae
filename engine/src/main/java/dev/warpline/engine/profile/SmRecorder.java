package dev.warpline.engine.profile;

import java.util.Arrays;

/**
 * What one SM (compute unit) writes down of one kernel. Time of a warp is charged with a cursor:
 * {@link #charge} gives everything since the last charge to one reason, so the reasons of a warp
 * add up to its lifetime by construction. Only the SM's own thread writes.
 *
 * <p>Typical use by a core, when warp {@code w} issues row {@code r} at cycle {@code c}:
 *
 * <pre>
 *   recorder.charge(w, r, WAIT, stallCounterEnd);
 *   recorder.charge(w, r, reasonOfTheWait, dependenceEnd);
 *   recorder.charge(w, r, NOT_SELECTED, c);
 *   recorder.issue(w, r, c, activeLanes);
 * </pre>
 *
 * A charge that ends at or before the cursor does nothing, so the calls need no conditions.
 */
public final class SmRecorder {
  private static final int SELECTED = StallReason.SELECTED.ordinal();
  private static final int DRAIN = StallReason.DRAIN.ordinal();
  private static final int MISC = StallReason.MISC.ordinal();

  /** Columns of the memory table, per row. */
  static final int REQUESTS = 0;

  static final int SECTORS = 1;
  static final int L1_HITS = 2;
  static final int L2_HITS = 3;
  static final int DRAM_SECTORS = 4;
  static final int CONFLICTS = 5;
  static final int MEMORY_COLUMNS = 6;

  /** Series over time that follow the reasons. */
  static final int L1_SECTORS_OVER_TIME = StallReason.COUNT;

  static final int L1_HITS_OVER_TIME = StallReason.COUNT + 1;
  static final int SERIES = StallReason.COUNT + 2;

  private final int sm;
  private final long[] cursor;
  private final int[] lastRow;
  private TimelineRecorder timeline;
  final TimeBuckets time;
  long[] stalls = new long[64 * StallReason.COUNT];
  long[] memory = new long[64 * MEMORY_COLUMNS];
  long[] executed = new long[64];
  long[] lanes = new long[64];
  int rows;
  long warps;
  long warpCycles;
  long firstCycle = Long.MAX_VALUE;
  long lastCycle;

  /**
   * @param sm number of the SM
   * @param warpSlots warps it can hold
   * @param start cycle of the kernel's launch: time zero of its profile
   * @param timeline where to write slices for a trace viewer, or null
   */
  public SmRecorder(int sm, int warpSlots, long start, TimelineRecorder timeline) {
    this.sm = sm;
    this.timeline = timeline;
    cursor = new long[warpSlots];
    lastRow = new int[warpSlots];
    time = new TimeBuckets(SERIES, start);
  }

  /** From now on slices for a trace viewer are written, too. */
  void record(TimelineRecorder into) {
    timeline = into;
  }

  /** Number of the SM. */
  public int sm() {
    return sm;
  }

  /** A warp becomes resident in a slot: its life begins. */
  public void start(int warp, long cycle) {
    cursor[warp] = cycle;
    lastRow[warp] = 0;
    warps++;
    warpCycles -= cycle;
    firstCycle = Math.min(firstCycle, cycle);
  }

  /** Gives a warp's time since its last charge, up to (not including) a cycle, to one reason. */
  public void charge(int warp, int row, StallReason reason, long until) {
    charge(warp, row, reason.ordinal(), until);
  }

  /** The same with the reason's ordinal, for cores that keep reasons in arrays. */
  public void charge(int warp, int row, int reason, long until) {
    long from = cursor[warp];
    if (until <= from) {
      return;
    }
    if (row >= rows) {
      grow(row);
    }
    cursor[warp] = until;
    lastRow[warp] = row;
    stalls[row * StallReason.COUNT + reason] += until - from;
    time.addSpan(reason, from, until);
    if (timeline != null) {
      timeline.state(warp, row, reason, from, until);
    }
  }

  /**
   * A warp issues: the cycle is charged as selected, and anything still open before it goes to
   * {@link StallReason#MISC}.
   */
  public void issue(int warp, int row, long cycle, int activeLanes) {
    if (row >= rows) {
      grow(row);
    }
    executed[row]++;
    lanes[row] += activeLanes;
    if (cursor[warp] != cycle || timeline != null) {
      charge(warp, row, MISC, cycle);
      charge(warp, row, SELECTED, cycle + 1);
      return;
    }
    cursor[warp] = cycle + 1;
    lastRow[warp] = row;
    stalls[row * StallReason.COUNT + SELECTED]++;
    time.add(SELECTED, cycle, 1);
  }

  /** A warp leaves its slot: its life ends, what is still open was draining. */
  public void end(int warp, long cycle) {
    charge(warp, lastRow[warp], DRAIN, cycle);
    long end = cursor[warp];
    warpCycles += end;
    lastCycle = Math.max(lastCycle, end);
  }

  /**
   * A memory instruction was looked up in L1 (or served by shared memory).
   *
   * @param sectors 32-byte sectors it asked for
   * @param hits how many of them L1 had
   * @param conflicts extra shared-memory passes
   */
  public void access(int row, long cycle, int sectors, int hits, int conflicts) {
    if (row >= rows) {
      grow(row);
    }
    int at = row * MEMORY_COLUMNS;
    memory[at + REQUESTS]++;
    memory[at + SECTORS] += sectors;
    memory[at + L1_HITS] += hits;
    memory[at + CONFLICTS] += conflicts;
    time.add(L1_SECTORS_OVER_TIME, cycle, sectors);
    time.add(L1_HITS_OVER_TIME, cycle, hits);
  }

  /** Sectors of an earlier {@link #access} turn out to be in L1: for cores that look later. */
  public void hits(int row, long cycle, int sectors) {
    memory[row * MEMORY_COLUMNS + L1_HITS] += sectors;
    time.add(L1_HITS_OVER_TIME, cycle, sectors);
  }

  /** Sectors of a row came back from beyond L1: from L2 or from device memory. */
  public void filled(int row, int sectors, boolean fromDram) {
    if (row >= rows) {
      grow(row);
    }
    memory[row * MEMORY_COLUMNS + (fromDram ? DRAM_SECTORS : L2_HITS)] += sectors;
  }

  /**
   * An instruction left the issue stage and completes later; only the timeline wants to know.
   *
   * @param issued cycle of issue
   * @param done cycle its result is there
   * @param memory whether it is a memory request
   */
  public void completes(int warp, int row, long issued, long done, boolean memory) {
    if (timeline != null) {
      timeline.completes(warp, row, issued, done, memory);
    }
  }

  private void grow(int row) {
    rows = row + 1;
    if (rows > executed.length) {
      int capacity = Math.max(rows, 2 * executed.length);
      executed = Arrays.copyOf(executed, capacity);
      lanes = Arrays.copyOf(lanes, capacity);
      stalls = Arrays.copyOf(stalls, capacity * StallReason.COUNT);
      memory = Arrays.copyOf(memory, capacity * MEMORY_COLUMNS);
    }
  }
}
