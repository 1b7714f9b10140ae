package dev.warpline.engine.profile;

/**
 * What one SM (compute unit) writes down of one kernel. Time of a warp is charged with a cursor:
 * {@link #charge} gives everything since the last charge to one reason, so the reasons of a warp
 * add up to its lifetime. Only the thread that runs the SM writes.
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
 *
 * <p>A charge costs three additions: to the instruction's row, and to the SM's last two buckets of
 * time, which go to the totals and to the series when time moves on.
 */
public final class SmRecorder {
  private static final int SELECTED = StallReason.SELECTED.ordinal();
  private static final int NOT_SELECTED = StallReason.NOT_SELECTED.ordinal();
  private static final int WAIT = StallReason.WAIT.ordinal();
  private static final int DRAIN = StallReason.DRAIN.ordinal();
  private static final int MISC = StallReason.MISC.ordinal();

  private final int sm;
  private final long start;
  private final long[] cursor;
  private final long[] born;
  private TimelineRecorder timeline;
  private EventLog log;
  private LineTrail.Sm trail;
  private Ledger ledger;

  /**
   * Time by reason of the two latest buckets, side by side: the open one, whose cells are {@code 2
   * * reason + openSide}, is [openFrom, openUntil), the other one [lastFrom, openFrom).
   */
  private final long[] open = new long[2 * StallReason.COUNT];

  private int openSide;
  private long lastFrom;
  private long openFrom;
  private long openUntil;

  /** Time by reason of all buckets before. */
  private final long[] closed = new long[StallReason.COUNT];

  long warps;
  long left;
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
    this.start = start;
    cursor = new long[warpSlots];
    born = new long[warpSlots];
  }

  /** From now on slices for a trace viewer are written, too. */
  void record(TimelineRecorder into) {
    timeline = into;
  }

  /** A block was resident from a cycle to another. */
  public void block(long from, long until) {
    ledger.time.addSpan(Ledger.LEVELS + Level.BLOCKS.ordinal(), from, until);
    if (timeline != null) {
      timeline.block(from, until);
    }
  }

  /**
   * A memory instruction held a place in its sub-core's queue.
   *
   * @param level which queue: {@link Level#LSU_QUEUE} or {@link Level#MIO_QUEUE}
   */
  public void queued(Level level, int warp, int row, long from, long until) {
    ledger.time.addSpan(Ledger.LEVELS + level.ordinal(), from, until);
    if (timeline != null) {
      timeline.queued(level, warp, row, from, until);
    }
  }

  /** From now on events are written, too. */
  void record(EventLog into) {
    log = into;
  }

  /** From now on accesses to a line are written, too. */
  void record(LineTrail.Sm into) {
    trail = into;
  }

  /** Where accesses to a followed line go, null if none is followed. */
  public LineTrail.Sm trail() {
    return trail;
  }

  /** Where events go, null if nobody asked. */
  public EventLog log() {
    return log;
  }

  /** Whether {@link #stage} writes anything. */
  public boolean seesStages() {
    return timeline != null;
  }

  /**
   * An instruction was in a stage; only the timeline wants to know.
   *
   * @param instruction a number that no other dynamic instruction of this SM has
   * @param until the first cycle in which it was there no more; nothing is written of no time
   */
  public void stage(int warp, long instruction, int row, Stage stage, long from, long until) {
    if (timeline != null) {
      timeline.stage(warp, instruction, row, stage, from, until);
    }
  }

  /** Everything goes to this ledger from now on. */
  void use(Ledger its) {
    ledger = its;
  }

  Ledger ledger() {
    return ledger;
  }

  /** The SM has a ledger of its own unless it shares one. */
  public SmRecorder withLedger() {
    if (ledger == null) {
      ledger = new Ledger(start);
    }
    return this;
  }

  /** Number of the SM. */
  public int sm() {
    return sm;
  }

  /** A warp becomes resident in a slot: its life begins. */
  public void start(int warp, long cycle) {
    cursor[warp] = cycle;
    born[warp] = cycle;
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
    cursor[warp] = until;
    int place = ledger.place(row);
    ledger.table[place + reason] += until - from;
    span(reason, from, until);
    if (timeline != null) {
      timeline.state(warp, row, reason, from, until);
    }
  }

  private void span(int reason, long from, long until) {
    if (until > openUntil) {
      turn(until - 1);
    }
    if (from >= lastFrom) {
      add(reason, from, until);
    } else {
      closed[reason] += until - from;
      ledger.time.addSpan(reason, from, until);
    }
  }

  /** Adds a span that begins in one of the two latest buckets. */
  private void add(int reason, long from, long until) {
    if (from >= openFrom) {
      open[2 * reason + openSide] += until - from;
    } else {
      long before = Math.min(openFrom, until) - from;
      open[2 * reason + openSide] += until - from - before;
      open[2 * reason + 1 - openSide] += before;
    }
  }

  /** Time has moved on: opens the bucket that holds a cycle. */
  private void turn(long cycle) {
    long from = ledger.time.bucketStart(cycle);
    closeLast();
    openSide = 1 - openSide;
    lastFrom = openFrom;
    if (from > openUntil) {
      closeLast();
      lastFrom = from;
    }
    openFrom = from;
    openUntil = from + ledger.time.bucketCycles();
  }

  private void closeLast() {
    int side = 1 - openSide;
    for (int reason = 0; reason < closed.length; reason++) {
      long cycles = open[2 * reason + side];
      if (cycles != 0) {
        closed[reason] += cycles;
        ledger.time.add(reason, lastFrom, cycles);
        open[2 * reason + side] = 0;
      }
    }
  }

  /**
   * A warp issues: the cycle is charged as selected, and anything still open before it goes to
   * {@link StallReason#MISC}.
   */
  public void issue(int warp, int row, long cycle, int activeLanes) {
    charge(warp, row, MISC, cycle);
    charge(warp, row, SELECTED, cycle + 1);
    ledger.add(row, Ledger.LANES, activeLanes);
  }

  /**
   * A warp issues, and its time since the last charge is given in one go: to the fixed latency, to
   * the reason of its wait, to a unit's refusal, and what is left to the scheduler's choice. The
   * same as four charges and an {@link #issue}, at a fraction of the cost.
   *
   * @param waitUntil when the fixed latency was over
   * @param why the reason of the wait
   * @param readyAt when the wait was over
   * @param refusal why a unit refused
   * @param refusedUntil until when it did, 0 if it did not
   */
  public void issue(
      int warp,
      int row,
      long cycle,
      int activeLanes,
      long waitUntil,
      int why,
      long readyAt,
      int refusal,
      long refusedUntil) {
    long from = cursor[warp];
    if (from < lastFrom || cycle >= openUntil || timeline != null) {
      issueAcrossBuckets(
          warp, row, cycle, activeLanes, waitUntil, why, readyAt, refusal, refusedUntil);
      return;
    }
    cursor[warp] = cycle + 1;
    int place = ledger.place(row);
    long[] table = ledger.table;
    table[place + SELECTED]++;
    table[place + Ledger.LANES] += activeLanes;
    add(SELECTED, cycle, cycle + 1);
    if (from == cycle) {
      return;
    }
    long until = Math.min(waitUntil, cycle);
    if (until > from) {
      table[place + WAIT] += until - from;
      add(WAIT, from, until);
      from = until;
    }
    until = Math.min(readyAt, cycle);
    if (until > from) {
      table[place + why] += until - from;
      add(why, from, until);
      from = until;
    }
    until = Math.min(refusedUntil, cycle);
    if (until > from) {
      table[place + refusal] += until - from;
      add(refusal, from, until);
      from = until;
    }
    if (cycle > from) {
      table[place + NOT_SELECTED] += cycle - from;
      add(NOT_SELECTED, from, cycle);
    }
  }

  /** Apart, so that the usual case is small enough for the compiler to put in place. */
  private void issueAcrossBuckets(
      int warp,
      int row,
      long cycle,
      int activeLanes,
      long waitUntil,
      int why,
      long readyAt,
      int refusal,
      long refusedUntil) {
    charge(warp, row, WAIT, Math.min(waitUntil, cycle));
    charge(warp, row, why, Math.min(readyAt, cycle));
    charge(warp, row, refusal, Math.min(refusedUntil, cycle));
    charge(warp, row, NOT_SELECTED, cycle);
    issue(warp, row, cycle, activeLanes);
  }

  /** A warp leaves its slot: its life ends, what is still open it drained after its last row. */
  public void end(int warp, int row, long cycle) {
    charge(warp, row, DRAIN, cycle);
    // A core may name the cycle of the last issue as the end; more than that was never lived, and
    // the sums will not fit.
    long end = Math.min(cursor[warp], Math.max(born[warp], cycle + 1));
    warpCycles += end;
    left++;
    lastCycle = Math.max(lastCycle, end);
  }

  /** Time of all warps by reason, so far. */
  public long[] total() {
    long[] total = closed.clone();
    for (int reason = 0; reason < total.length; reason++) {
      total[reason] += open[2 * reason] + open[2 * reason + 1];
    }
    return total;
  }

  /** Hands over what is not in the ledger yet. */
  void finish() {
    if (warps > 0) {
      closeLast();
      openSide = 1 - openSide;
      lastFrom = openFrom;
      closeLast();
    }
  }

  /**
   * A memory instruction was looked up in L1 (or served by shared memory).
   *
   * @param sectors 32-byte sectors it asked for
   * @param hits how many of them L1 had
   * @param conflicts extra shared-memory passes
   */
  public void access(int row, long cycle, int sectors, int hits, int conflicts) {
    int place = ledger.place(row);
    long[] table = ledger.table;
    table[place + Ledger.REQUESTS]++;
    table[place + Ledger.CONFLICTS] += conflicts;
    if (sectors != 0) {
      table[place + Ledger.SECTORS] += sectors;
      table[place + Ledger.L1_HITS] += hits;
      ledger.time.add(Ledger.L1_SECTORS_OVER_TIME, cycle, sectors);
      ledger.time.add(Ledger.L1_HITS_OVER_TIME, cycle, hits);
    }
  }

  /** Sectors of an earlier {@link #access} turn out to be in L1: for cores that look later. */
  public void hits(int row, long cycle, int sectors) {
    ledger.add(row, Ledger.L1_HITS, sectors);
    ledger.time.add(Ledger.L1_HITS_OVER_TIME, cycle, sectors);
  }

  /** Sectors of a row came back from beyond L1: from L2 or from device memory. */
  public void filled(int row, int sectors, boolean fromDram) {
    ledger.add(row, fromDram ? Ledger.DRAM_SECTORS : Ledger.L2_HITS, sectors);
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
}
