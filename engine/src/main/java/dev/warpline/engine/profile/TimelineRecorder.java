package dev.warpline.engine.profile;

import java.util.Arrays;

/**
 * Slices of one SM for a trace viewer, inside a window of cycles: what each warp did when, and how
 * long its instructions were under way. Grows with the window; meant for thousands of cycles, not
 * millions.
 */
public final class TimelineRecorder {
  /** What a slice is. */
  public enum Kind {
    /** A state of a warp; {@link Slice#reason} says which. */
    STATE,
    /** An instruction from issue to result. */
    INSTRUCTION,
    /** A memory instruction from issue to the return of its data. */
    MEMORY,
    /** An instruction in a stage of the pipeline. */
    STAGE,
    /** A resident block. */
    BLOCK,
    /** A memory instruction in a queue; {@link Slice#level} says which. */
    QUEUE
  }

  /**
   * One slice in cycles since the launch, {@code until} exclusive; {@code reason} only of states;
   * {@code stage} and the number of the dynamic {@code instruction} only of stages; {@code level}
   * only of queues.
   */
  public record Slice(
      Kind kind,
      int sm,
      int warp,
      int row,
      StallReason reason,
      Stage stage,
      Level level,
      long instruction,
      long from,
      long until) {
    /** A slice that is no stage. */
    public Slice(Kind kind, int sm, int warp, int row, StallReason reason, long from, long until) {
      this(kind, sm, warp, row, reason, null, null, 0, from, until);
    }
  }

  private static final int WORDS = 5;
  private static final Kind[] KINDS = Kind.values();
  private static final Stage[] STAGES = Stage.values();
  private static final Level[] LEVELS = Level.values();
  private static final StallReason[] REASONS = StallReason.values();

  private final int sm;
  private final long start;
  private final long from;
  private final long until;
  private long[] words = new long[WORDS * 1024];
  private int size;

  /**
   * Records SM {@code sm} in cycles [from, until), counted from the kernel's launch at {@code
   * start}.
   */
  public TimelineRecorder(int sm, long start, long from, long until) {
    this.sm = sm;
    this.start = start;
    this.from = from;
    this.until = until;
  }

  void state(int warp, int row, int reason, long begin, long end) {
    add(Kind.STATE, warp, row, reason, 0, begin, end);
  }

  void completes(int warp, int row, long issued, long done, boolean memory) {
    add(memory ? Kind.MEMORY : Kind.INSTRUCTION, warp, row, 0, 0, issued, done);
  }

  void stage(int warp, long instruction, int row, Stage stage, long begin, long end) {
    if (begin < end) {
      add(Kind.STAGE, warp, row, stage.ordinal(), instruction, begin, end);
    }
  }

  void block(long begin, long end) {
    add(Kind.BLOCK, 0, 0, 0, 0, begin, end);
  }

  void queued(Level level, int warp, int row, long begin, long end) {
    add(Kind.QUEUE, warp, row, level.ordinal(), 0, begin, end);
  }

  private void add(
      Kind kind, int warp, int row, int which, long instruction, long beginCycle, long endCycle) {
    long begin = beginCycle - start;
    long end = endCycle - start;
    if (end <= from || begin >= until) {
      return;
    }
    if (size == words.length) {
      words = Arrays.copyOf(words, 2 * size);
    }
    words[size] = (long) kind.ordinal() << 32 | which;
    words[size + 1] = (long) warp << 32 | row;
    words[size + 2] = Math.max(begin, from);
    words[size + 3] = Math.min(end, until);
    words[size + 4] = instruction;
    size += WORDS;
  }

  /** Number of slices. */
  public int size() {
    return size / WORDS;
  }

  /** A slice, in the order of recording. */
  public Slice slice(int index) {
    int at = index * WORDS;
    Kind kind = KINDS[(int) (words[at] >> 32)];
    return new Slice(
        kind,
        sm,
        (int) (words[at + 1] >> 32),
        (int) words[at + 1],
        kind == Kind.STATE ? REASONS[(int) words[at]] : null,
        kind == Kind.STAGE ? STAGES[(int) words[at]] : null,
        kind == Kind.QUEUE ? LEVELS[(int) words[at]] : null,
        words[at + 4],
        words[at + 2],
        words[at + 3]);
  }
}
