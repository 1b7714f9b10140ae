package dev.warpline.nvidia.modern.cache;

import java.util.Arrays;

/**
 * A fully associative store of line numbers, least recently used out first, each with the cycle its
 * content is there. For the small caches of the front end.
 */
public final class LineCache {
  private final int capacity;
  private final int mask;
  private final long[] keys;
  private final long[] readyAt;
  private final int[] newer;
  private final int[] older;
  private final int[] next;
  private final int[] buckets;
  private int size;
  private int newest = -1;
  private int oldest = -1;

  public LineCache(int lines) {
    capacity = Math.max(1, lines);
    keys = new long[capacity];
    readyAt = new long[capacity];
    newer = new int[capacity];
    older = new int[capacity];
    next = new int[capacity];
    int n = Integer.highestOneBit(capacity) * 4;
    buckets = new int[n];
    mask = n - 1;
    clear();
  }

  public void clear() {
    Arrays.fill(buckets, -1);
    size = 0;
    newest = -1;
    oldest = -1;
  }

  /** Place of a line, which becomes the most recently used; -1 if absent. */
  public int find(long line) {
    int i = buckets[bucket(line)];
    while (i >= 0 && keys[i] != line) {
      i = next[i];
    }
    if (i >= 0 && i != newest) {
      unlink(i);
      linkNewest(i);
    }
    return i;
  }

  public boolean contains(long line) {
    int i = buckets[bucket(line)];
    while (i >= 0 && keys[i] != line) {
      i = next[i];
    }
    return i >= 0;
  }

  public long readyAt(int place) {
    return readyAt[place];
  }

  /** Adds a line that is absent. */
  public void add(long line, long ready) {
    int i;
    if (size < capacity) {
      i = size++;
    } else {
      i = oldest;
      unlink(i);
      int b = bucket(keys[i]);
      if (buckets[b] == i) {
        buckets[b] = next[i];
      } else {
        int p = buckets[b];
        while (next[p] != i) {
          p = next[p];
        }
        next[p] = next[i];
      }
    }
    keys[i] = line;
    readyAt[i] = ready;
    int b = bucket(line);
    next[i] = buckets[b];
    buckets[b] = i;
    linkNewest(i);
  }

  private void linkNewest(int i) {
    older[i] = newest;
    newer[i] = -1;
    if (newest >= 0) {
      newer[newest] = i;
    }
    newest = i;
    if (oldest < 0) {
      oldest = i;
    }
  }

  private void unlink(int i) {
    if (newer[i] >= 0) {
      older[newer[i]] = older[i];
    } else {
      newest = older[i];
    }
    if (older[i] >= 0) {
      newer[older[i]] = newer[i];
    } else {
      oldest = newer[i];
    }
  }

  private int bucket(long line) {
    long h = line * 0x9e3779b97f4a7c15L;
    return (int) (h >>> 40) & mask;
  }
}
