package dev.warpline.nvidia.modern.fetch;

/** The instruction buffer of a warp, and where fetch stands with it. */
final class InstructionBuffer {
  /** Any number of fetches. */
  static final int FREE = Integer.MAX_VALUE;

  private static final int NO_LINE = -1;

  /** Instructions in it, and what of it will be thrown away. */
  int filled;

  int wasted;

  /** Where a straight line leads. */
  int expected;

  /** The line that fetch is in, and when it is there. */
  int line;

  long lineAt;

  /** Fetches until a branch on its way is decoded, 0 until it is resolved; else {@link #FREE}. */
  int allowed;

  /** No fetch before this: the start of the warp, a branch that is not resolved. */
  long notBefore;

  /** Whether that is a taken branch. */
  boolean branched;

  /** When the branch in front of the next instruction is known not to be taken. */
  long resolvedAt;

  /** Ring of entries: when each can issue, when it was asked for if that was noted. */
  private final long[] availableAt;

  private final long[] fetchedAt;
  private int head;

  private final int entries;

  InstructionBuffer(int entries) {
    this.entries = entries;
    int ring = Integer.highestOneBit(2 * entries - 1);
    availableAt = new long[ring];
    fetchedAt = new long[ring];
  }

  void clear(int next) {
    filled = 0;
    wasted = 0;
    head = 0;
    expected = next;
    allowed = FREE;
    line = NO_LINE;
    resolvedAt = 0;
  }

  private int place(int entry) {
    return head + entry & availableAt.length - 1;
  }

  void add(long available) {
    availableAt[place(filled++)] = available;
  }

  /** The last one added was asked for at a cycle: for who looks on. */
  void note(long fetched) {
    fetchedAt[place(filled - 1)] = fetched;
  }

  void removeFirst() {
    filled--;
    head = place(1);
  }

  long availableAt(int entry) {
    return availableAt[place(entry)];
  }

  void setAvailable(int entry, long when) {
    availableAt[place(entry)] = when;
  }

  long fetchedAt() {
    return fetchedAt[head];
  }

  boolean full() {
    return filled + wasted == entries;
  }
}
