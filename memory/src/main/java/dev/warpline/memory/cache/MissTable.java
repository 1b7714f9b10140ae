package dev.warpline.memory.cache;

import java.util.Arrays;

/**
 * Miss-status holding registers: which sectors are on their way and who waits for each. Filled
 * entries queue up and hand out their requests one at a time.
 */
public final class MissTable {
  private static final int NONE = -1;

  private final int capacity;
  private final int mergeLimit;

  // Open addressing from sector address to entry.
  private final long[] key;
  private final int[] slotEntry;
  private final int mask;

  // Entries.
  private final long[] address;
  private final int[] first;
  private final int[] last;
  private final int[] waiting;
  private final boolean[] atomic;
  private final boolean[] filled;
  private final boolean[] fromDram;
  private final int[] freeEntries;
  private int freeCount;

  // Requests of the entries, as linked lists.
  private MemoryRequest[] nodeRequest = new MemoryRequest[64];
  private int[] nodeNext = new int[64];
  private int freeNode;

  // Filled entries, oldest first.
  private final int[] ready;
  private int readyHead;
  private int readyCount;

  public MissTable(int entries, int mergeLimit) {
    this.capacity = entries;
    this.mergeLimit = mergeLimit;
    int slots = Integer.highestOneBit(Math.max(2, entries)) * 4;
    key = new long[slots];
    slotEntry = new int[slots];
    Arrays.fill(slotEntry, NONE);
    mask = slots - 1;
    address = new long[entries];
    first = new int[entries];
    last = new int[entries];
    waiting = new int[entries];
    atomic = new boolean[entries];
    filled = new boolean[entries];
    fromDram = new boolean[entries];
    freeEntries = new int[entries];
    for (int i = 0; i < entries; i++) {
      freeEntries[i] = entries - 1 - i;
    }
    freeCount = entries;
    ready = new int[entries];
    linkFreeNodes(0);
  }

  /** Entry that tracks a sector, or -1. */
  public int find(long sector) {
    for (int slot = slotOf(sector); slotEntry[slot] != NONE; slot = slot + 1 & mask) {
      if (key[slot] == sector) {
        return slotEntry[slot];
      }
    }
    return NONE;
  }

  /** Whether another request may wait for an entry. */
  public boolean canMerge(int entry) {
    return waiting[entry] < mergeLimit;
  }

  /** Whether another sector may be tracked. */
  public boolean canAllocate() {
    return freeCount > 0;
  }

  /** Starts to track a sector. */
  public int allocate(long sector) {
    int entry = freeEntries[--freeCount];
    address[entry] = sector;
    first[entry] = NONE;
    last[entry] = NONE;
    waiting[entry] = 0;
    atomic[entry] = false;
    filled[entry] = false;
    int slot = slotOf(sector);
    while (slotEntry[slot] != NONE) {
      slot = slot + 1 & mask;
    }
    key[slot] = sector;
    slotEntry[slot] = entry;
    return entry;
  }

  /** Lets a request wait for an entry. */
  public void add(int entry, MemoryRequest request) {
    if (freeNode == NONE) {
      int old = nodeNext.length;
      nodeRequest = Arrays.copyOf(nodeRequest, old * 2);
      nodeNext = Arrays.copyOf(nodeNext, old * 2);
      linkFreeNodes(old);
    }
    int node = freeNode;
    freeNode = nodeNext[node];
    nodeRequest[node] = request;
    nodeNext[node] = NONE;
    if (last[entry] == NONE) {
      first[entry] = node;
    } else {
      nodeNext[last[entry]] = node;
    }
    last[entry] = node;
    waiting[entry]++;
    atomic[entry] |= request.atomic;
  }

  /** Whether an atomic waits for the entry. */
  public boolean hasAtomic(int entry) {
    return atomic[entry];
  }

  /** The entry's data are here; whoever waits for them learns where they came from. */
  public void markReady(int entry, boolean fromDram) {
    filled[entry] = true;
    this.fromDram[entry] = fromDram;
    ready[(readyHead + readyCount++) % capacity] = entry;
  }

  /** Whether the entry's data are here already and only its requests are being handed out. */
  boolean isFilled(int entry) {
    return filled[entry];
  }

  public boolean hasReady() {
    return readyCount > 0;
  }

  /** Hands out the next request whose data are here; an entry without requests is free again. */
  public MemoryRequest popReady() {
    int entry = ready[readyHead];
    int node = first[entry];
    MemoryRequest request = nodeRequest[node];
    request.fromDram = fromDram[entry];
    nodeRequest[node] = null;
    first[entry] = nodeNext[node];
    nodeNext[node] = freeNode;
    freeNode = node;
    waiting[entry]--;
    if (first[entry] == NONE) {
      readyHead = (readyHead + 1) % capacity;
      readyCount--;
      release(entry);
    }
    return request;
  }

  /** Sectors tracked. */
  public int inUse() {
    return capacity - freeCount;
  }

  private void release(int entry) {
    int slot = slotOf(address[entry]);
    while (slotEntry[slot] != entry) {
      slot = slot + 1 & mask;
    }
    // Close the gap so that probing never meets a false end.
    int hole = slot;
    for (int at = hole + 1 & mask; slotEntry[at] != NONE; at = at + 1 & mask) {
      int home = slotOf(key[at]);
      if ((at - home & mask) >= (at - hole & mask)) {
        key[hole] = key[at];
        slotEntry[hole] = slotEntry[at];
        hole = at;
      }
    }
    slotEntry[hole] = NONE;
    freeEntries[freeCount++] = entry;
  }

  private void linkFreeNodes(int from) {
    for (int i = from; i < nodeNext.length; i++) {
      nodeNext[i] = i + 1 < nodeNext.length ? i + 1 : NONE;
    }
    freeNode = from;
  }

  private int slotOf(long sector) {
    long h = (sector >>> 5) * 0x9E3779B97F4A7C15L;
    return (int) (h >>> 40) & mask;
  }
}
