package dev.warpline.memory.cache;

import java.util.Arrays;

/**
 * The miss table of a cache (miss-status holding registers): lines on their way and who waits for
 * each. Entries and waiters are numbers; what a waiter's number means its owner knows. A table
 * finds entries by their line or leaves that to a cache that keeps the entry beside the line. It
 * grows; nothing is allocated once it has grown.
 */
public final class MissTable {
  public static final int NONE = -1;

  /** Entries by line; null if nobody asks. */
  private final LineIndex index;

  // What is known of an entry, side by side: its line in two parts, its place, its sectors, the
  // first and the last who waits for it.
  private static final int LINE_HIGH = 1;
  private static final int PLACE = 2;
  private static final int SECTORS = 3;
  private static final int FIRST = 4;
  private static final int LAST = 5;
  private static final int ENTRY = 8;

  private int[] known = new int[16 * ENTRY];
  private int[] freeEntries = new int[16];
  private int freeCount;
  private int entries;

  private long[] waiter = new long[32];
  private int[] next = new int[32];
  private int freeWaiter = NONE;
  private int waiters;

  private MissTable(LineIndex index) {
    this.index = index;
  }

  /** A table whose entries are found by their lines. */
  public static MissTable unbounded() {
    return new MissTable(new LineIndex());
  }

  /**
   * A table whose cache remembers the entry with the line: a line may be under way more than once,
   * for some sectors each time.
   */
  public static MissTable besideTags() {
    return new MissTable(null);
  }

  /** Forgets all lines and waiters. */
  public void clear() {
    if (index != null) {
      index.clear();
    }
    freeCount = 0;
    entries = 0;
    freeWaiter = NONE;
    waiters = 0;
  }

  /** Lines under way. */
  public int size() {
    return entries - freeCount;
  }

  /** Entry of a line, or {@link #NONE}. */
  public int find(long itsLine) {
    return index.find(itsLine);
  }

  /** An entry for a line that has none. */
  public int add(long itsLine) {
    return add(itsLine, NONE, 0);
  }

  /**
   * An entry for some sectors of a line.
   *
   * @param itsPlace place in the cache that waits for it, {@link #NONE} if it will not be kept or
   *     gets its place when it comes
   */
  public int add(long itsLine, int itsPlace, int itsSectors) {
    int entry = freeCount > 0 ? freeEntries[--freeCount] : entries++;
    if (entry == freeEntries.length) {
      known = Arrays.copyOf(known, 2 * known.length);
      freeEntries = Arrays.copyOf(freeEntries, 2 * entry);
    }
    int at = ENTRY * entry;
    known[at] = (int) itsLine;
    known[at + LINE_HIGH] = (int) (itsLine >>> Integer.SIZE);
    known[at + PLACE] = itsPlace;
    known[at + SECTORS] = itsSectors;
    known[at + FIRST] = NONE;
    if (index != null) {
      index.add(itsLine, entry);
    }
    return entry;
  }

  public long line(int entry) {
    int at = ENTRY * entry;
    return (long) known[at + LINE_HIGH] << Integer.SIZE | Integer.toUnsignedLong(known[at]);
  }

  public int place(int entry) {
    return known[ENTRY * entry + PLACE];
  }

  public int sectors(int entry) {
    return known[ENTRY * entry + SECTORS];
  }

  public boolean hasWaiter(int entry) {
    return known[ENTRY * entry + FIRST] != NONE;
  }

  /** Somebody waits for a line and will be taken after those who wait already. */
  public void await(int entry, long who) {
    int node = node(who);
    next[node] = NONE;
    int at = ENTRY * entry;
    if (known[at + FIRST] == NONE) {
      known[at + FIRST] = node;
    } else {
      next[known[at + LAST]] = node;
    }
    known[at + LAST] = node;
  }

  /** Somebody waits for a line and will be taken before those who wait already. */
  public void awaitFirst(int entry, long who) {
    int node = node(who);
    int at = ENTRY * entry;
    if (known[at + FIRST] == NONE) {
      known[at + LAST] = node;
    }
    next[node] = known[at + FIRST];
    known[at + FIRST] = node;
  }

  private int node(long who) {
    int node = freeWaiter;
    if (node != NONE) {
      freeWaiter = next[node];
    } else {
      node = waiters++;
      if (node == waiter.length) {
        waiter = Arrays.copyOf(waiter, 2 * node);
        next = Arrays.copyOf(next, 2 * node);
      }
    }
    waiter[node] = who;
    return node;
  }

  /** Takes the first waiter of an entry that has one. */
  public long take(int entry) {
    int at = ENTRY * entry;
    int node = known[at + FIRST];
    known[at + FIRST] = next[node];
    next[node] = freeWaiter;
    freeWaiter = node;
    return waiter[node];
  }

  /** The line is here; its entry is free again. All waiters must have been taken. */
  public void remove(int entry) {
    if (index != null) {
      index.remove(line(entry), entry);
    }
    freeEntries[freeCount++] = entry;
  }
}
