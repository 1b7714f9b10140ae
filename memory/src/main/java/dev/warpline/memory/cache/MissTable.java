package dev.warpline.memory.cache;

import java.util.Arrays;

/**
 * The miss table of a cache (miss-status holding registers): lines on their way and who waits for
 * each. Entries and waiters are numbers; what a waiter's number means its owner knows. A table has
 * bounds or grows, and finds entries by their line or leaves that to a cache that keeps the entry
 * beside the line. Nothing is allocated once it has grown.
 */
public final class MissTable {
  public static final int NONE = -1;

  private final int most;
  private final int mostWaiters;

  /** Entries by line; null if nobody asks. */
  private final LineIndex index;

  private long[] line = new long[16];
  private int[] place = new int[16];
  private int[] sectors = new int[16];
  private int[] first = new int[16];
  private int[] last = new int[16];
  private int[] waiting = new int[16];
  private int[] freeEntries = new int[16];
  private int freeCount;
  private int entries;

  private long[] waiter = new long[32];
  private int[] next = new int[32];
  private int freeWaiter = NONE;
  private int waiters;

  private MissTable(int most, int mostWaiters, LineIndex index) {
    this.most = most;
    this.mostWaiters = mostWaiters;
    this.index = index;
  }

  /** A table of so many entries, each for so many waiters, found by their lines. */
  public static MissTable bounded(int entries, int waitersEach) {
    return new MissTable(entries, waitersEach, new LineIndex(entries));
  }

  /** A table that grows, its entries found by their lines. */
  public static MissTable unbounded() {
    return new MissTable(Integer.MAX_VALUE, Integer.MAX_VALUE, new LineIndex(16));
  }

  /**
   * A table that grows, whose cache remembers the entry with the line: a line may be under way more
   * than once, for some sectors each time.
   */
  public static MissTable besideTags() {
    return new MissTable(Integer.MAX_VALUE, Integer.MAX_VALUE, null);
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

  /** Whether there is room for another line. */
  public boolean canAdd() {
    return size() < most;
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
    if (entry == line.length) {
      int n = 2 * entry;
      line = Arrays.copyOf(line, n);
      place = Arrays.copyOf(place, n);
      sectors = Arrays.copyOf(sectors, n);
      first = Arrays.copyOf(first, n);
      last = Arrays.copyOf(last, n);
      waiting = Arrays.copyOf(waiting, n);
      freeEntries = Arrays.copyOf(freeEntries, n);
    }
    line[entry] = itsLine;
    place[entry] = itsPlace;
    sectors[entry] = itsSectors;
    first[entry] = NONE;
    waiting[entry] = 0;
    if (index != null) {
      index.add(itsLine, entry);
    }
    return entry;
  }

  public long line(int entry) {
    return line[entry];
  }

  public int place(int entry) {
    return place[entry];
  }

  public int sectors(int entry) {
    return sectors[entry];
  }

  /** Whether one more may wait for a line. */
  public boolean canWait(int entry) {
    return waiting[entry] < mostWaiters;
  }

  public boolean hasWaiter(int entry) {
    return first[entry] != NONE;
  }

  /** Somebody waits for a line and will be taken after those who wait already. */
  public void await(int entry, long who) {
    int node = node(entry, who);
    next[node] = NONE;
    if (first[entry] == NONE) {
      first[entry] = node;
    } else {
      next[last[entry]] = node;
    }
    last[entry] = node;
  }

  /** Somebody waits for a line and will be taken before those who wait already. */
  public void awaitFirst(int entry, long who) {
    int node = node(entry, who);
    if (first[entry] == NONE) {
      last[entry] = node;
    }
    next[node] = first[entry];
    first[entry] = node;
  }

  private int node(int entry, long who) {
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
    waiting[entry]++;
    return node;
  }

  /** Takes the first waiter of an entry that has one. */
  public long take(int entry) {
    int node = first[entry];
    first[entry] = next[node];
    next[node] = freeWaiter;
    freeWaiter = node;
    waiting[entry]--;
    return waiter[node];
  }

  /** The line is here; its entry is free again. All waiters must have been taken. */
  public void remove(int entry) {
    if (index != null) {
      index.remove(line[entry], entry);
    }
    freeEntries[freeCount++] = entry;
  }
}
