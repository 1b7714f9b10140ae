package dev.warpline.memory.cache;

import java.util.Arrays;

/**
 * Lines on their way into a cache (miss status registers) and who waits for each. Waiters are
 * numbers their owner understands and come back in the order they were added. Nothing is allocated
 * once it has grown.
 */
public final class WaitTable {
  private static final int NONE = -1;

  private long[] lines = new long[16];
  private int[] first = new int[16];
  private int[] last = new int[16];
  private int[] freeEntries = new int[16];
  private int freeCount;
  private int entries;

  private long[] waiter = new long[32];
  private int[] next = new int[32];
  private int freeWaiter = NONE;
  private int waiters;

  private int[] buckets = new int[64];
  private int used;

  public WaitTable() {
    Arrays.fill(buckets, NONE);
  }

  /** Lines outstanding. */
  public int size() {
    return used;
  }

  /** Entry of an outstanding line, or -1. */
  public int find(long line) {
    int mask = buckets.length - 1;
    for (int i = hash(line) & mask; buckets[i] != NONE; i = (i + 1) & mask) {
      if (lines[buckets[i]] == line) {
        return buckets[i];
      }
    }
    return NONE;
  }

  /** A new entry for a line that is not outstanding. */
  public int add(long line) {
    int entry;
    if (freeCount > 0) {
      entry = freeEntries[--freeCount];
    } else {
      if (entries == lines.length) {
        lines = Arrays.copyOf(lines, entries * 2);
        first = Arrays.copyOf(first, entries * 2);
        last = Arrays.copyOf(last, entries * 2);
        freeEntries = Arrays.copyOf(freeEntries, entries * 2);
      }
      entry = entries++;
    }
    lines[entry] = line;
    first[entry] = NONE;
    last[entry] = NONE;
    used++;
    if (used * 2 > buckets.length) {
      grow();
    }
    place(entry);
    return entry;
  }

  public long line(int entry) {
    return lines[entry];
  }

  public void addWaiter(int entry, long who) {
    int node = freeWaiter;
    if (node != NONE) {
      freeWaiter = next[node];
    } else {
      if (waiters == waiter.length) {
        waiter = Arrays.copyOf(waiter, waiters * 2);
        next = Arrays.copyOf(next, waiters * 2);
      }
      node = waiters++;
    }
    waiter[node] = who;
    next[node] = NONE;
    if (first[entry] == NONE) {
      first[entry] = node;
    } else {
      next[last[entry]] = node;
    }
    last[entry] = node;
  }

  /** Takes the first waiter of an entry that has one. */
  public long removeWaiter(int entry) {
    int node = first[entry];
    first[entry] = next[node];
    next[node] = freeWaiter;
    freeWaiter = node;
    return waiter[node];
  }

  public boolean hasWaiter(int entry) {
    return first[entry] != NONE;
  }

  /** The line has arrived; the entry is free again. All waiters must have been taken. */
  public void remove(int entry) {
    int mask = buckets.length - 1;
    int hole = hash(lines[entry]) & mask;
    while (buckets[hole] != entry) {
      hole = (hole + 1) & mask;
    }
    buckets[hole] = NONE;
    for (int i = (hole + 1) & mask; buckets[i] != NONE; i = (i + 1) & mask) {
      int home = hash(lines[buckets[i]]) & mask;
      if (((i - home) & mask) >= ((i - hole) & mask)) {
        buckets[hole] = buckets[i];
        buckets[i] = NONE;
        hole = i;
      }
    }
    used--;
    freeEntries[freeCount++] = entry;
  }

  private void place(int entry) {
    int mask = buckets.length - 1;
    int i = hash(lines[entry]) & mask;
    while (buckets[i] != NONE) {
      i = (i + 1) & mask;
    }
    buckets[i] = entry;
  }

  private void grow() {
    int[] old = buckets;
    buckets = new int[old.length * 2];
    Arrays.fill(buckets, NONE);
    for (int entry : old) {
      if (entry != NONE) {
        place(entry);
      }
    }
  }

  private static int hash(long line) {
    long mixed = line * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> 32);
  }
}
