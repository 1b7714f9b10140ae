package dev.warpline.memory;

import java.util.Arrays;

/**
 * Tags of a set-associative cache or TLB with tree pseudo-LRU replacement, without its data. Keys
 * are line (or page) numbers, not byte addresses. Each entry has a time at which its content is
 * there and a dirty mark.
 */
public final class TagStore {
  private static final long EMPTY = -1;

  private final int ways;
  private final int sets;
  private final boolean hashed;
  private final long[] keys;
  private final long[] readyAt;
  private final boolean[] dirty;
  private final long[] tree;
  private final int levels;
  private long evictedDirty = EMPTY;
  private int dirtyCount;

  /**
   * @param entries entries in all; a multiple of ways
   * @param ways power of two up to 64
   */
  public TagStore(int entries, int ways) {
    this(entries, ways, false);
  }

  /**
   * @param hashed all bits of a key choose its set, so that lines at a regular distance do not meet
   *     in few sets
   */
  public TagStore(int entries, int ways, boolean hashed) {
    if (ways < 1 || ways > 64 || Integer.bitCount(ways) != 1 || entries % ways != 0) {
      throw new IllegalArgumentException(
          entries + " entries in " + ways + " ways; expected 1 to 64 ways, a power of two");
    }
    this.ways = ways;
    this.hashed = hashed;
    sets = entries / ways;
    keys = new long[entries];
    readyAt = new long[entries];
    dirty = new boolean[entries];
    tree = new long[sets];
    levels = Integer.numberOfTrailingZeros(ways);
    Arrays.fill(keys, EMPTY);
  }

  private int set(long key) {
    long mixed = key & Long.MAX_VALUE;
    if (hashed) {
      mixed ^= mixed / sets ^ mixed / sets / sets;
    }
    return (int) (mixed % sets);
  }

  /** Entry that holds the key, made most recent, or -1. */
  public int find(long key) {
    int set = set(key);
    int base = set * ways;
    for (int way = 0; way < ways; way++) {
      if (keys[base + way] == key) {
        touch(set, way);
        return base + way;
      }
    }
    return -1;
  }

  /** When the entry's content is there. */
  public long readyAt(int entry) {
    return readyAt[entry];
  }

  public void markDirty(int entry) {
    setDirty(entry, true);
  }

  /**
   * Puts a key in, in place of the least recent one of its set. {@link #evictedDirty} then tells
   * which written line had to leave.
   */
  public int insert(long key, long ready) {
    int set = set(key);
    int base = set * ways;
    int way = victim(set, base);
    int entry = base + way;
    evictedDirty = dirty[entry] ? keys[entry] : EMPTY;
    keys[entry] = key;
    readyAt[entry] = ready;
    setDirty(entry, false);
    touch(set, way);
    return entry;
  }

  /** Key of the written line the last {@link #insert} pushed out, or -1. */
  public long evictedDirty() {
    return evictedDirty;
  }

  public void invalidate(long key) {
    int base = set(key) * ways;
    for (int entry = base; entry < base + ways; entry++) {
      if (keys[entry] == key) {
        keys[entry] = EMPTY;
        setDirty(entry, false);
        return;
      }
    }
  }

  public void invalidateAll() {
    Arrays.fill(keys, EMPTY);
    Arrays.fill(dirty, false);
    dirtyCount = 0;
  }

  /** Cleans the first written entry from an entry on and returns it, or -1 if there is none. */
  public int clean(int from) {
    if (dirtyCount == 0) {
      return -1;
    }
    int entry = from;
    while (entry < dirty.length && !dirty[entry]) {
      entry++;
    }
    if (entry == dirty.length) {
      return -1;
    }
    setDirty(entry, false);
    return entry;
  }

  /** What an entry holds. */
  public long key(int entry) {
    return keys[entry];
  }

  private void setDirty(int entry, boolean value) {
    if (dirty[entry] != value) {
      dirty[entry] = value;
      dirtyCount += value ? 1 : -1;
    }
  }

  private int victim(int set, int base) {
    for (int way = 0; way < ways; way++) {
      if (keys[base + way] == EMPTY) {
        return way;
      }
    }
    long bits = tree[set];
    int node = 1;
    for (int level = 0; level < levels; level++) {
      node = 2 * node + (int) (bits >>> node & 1);
    }
    return node - ways;
  }

  /** Makes the tree's bits on the way to an entry point away from it. */
  private void touch(int set, int way) {
    long bits = tree[set];
    int node = way + ways;
    while (node > 1) {
      int parent = node >>> 1;
      bits = (node & 1) == 0 ? bits | 1L << parent : bits & ~(1L << parent);
      node = parent;
    }
    tree[set] = bits;
  }
}
