package dev.warpline.memory.cache;

import dev.warpline.memory.MemoryRequest;
import java.util.Arrays;

/**
 * Requests that wait in a data cache's miss table. Those whose data came are handed out one at a
 * time, line by line.
 */
public final class MissedRequests {
  private final MissTable table;
  private final boolean[] atomic;
  private final boolean[] filled;
  private final byte[] level;

  /** Requests by their numbers in the table. */
  private MemoryRequest[] requests = new MemoryRequest[64];

  private int[] freeNumbers = new int[64];
  private int freeCount;
  private int numbers;

  // Entries whose data are here, oldest first.
  private final int[] ready;
  private int readyHead;
  private int readyCount;

  /**
   * @param entries sectors under way at a time
   * @param merge requests that may wait for one of them
   */
  MissedRequests(int entries, int merge) {
    table = MissTable.bounded(entries, merge);
    atomic = new boolean[entries];
    filled = new boolean[entries];
    level = new byte[entries];
    ready = new int[entries];
  }

  /** Entry of a sector that is under way, or -1. */
  int find(long sector) {
    return table.find(sector);
  }

  boolean canMerge(int entry) {
    return table.canWait(entry);
  }

  boolean canAdd() {
    return table.canAdd();
  }

  int add(long sector) {
    int entry = table.add(sector);
    atomic[entry] = false;
    filled[entry] = false;
    return entry;
  }

  /** Lets a request wait for an entry. */
  void await(int entry, MemoryRequest request) {
    int number = freeCount > 0 ? freeNumbers[--freeCount] : numbers++;
    if (number == requests.length) {
      requests = Arrays.copyOf(requests, 2 * number);
      freeNumbers = Arrays.copyOf(freeNumbers, 2 * number);
    }
    requests[number] = request;
    table.await(entry, number);
    atomic[entry] |= request.atomic;
  }

  /** Whether an atomic waits for the entry. */
  boolean hasAtomic(int entry) {
    return atomic[entry];
  }

  /** The entry's data are here; whoever waits for them learns who had them. */
  void markReady(int entry, int from) {
    filled[entry] = true;
    level[entry] = (byte) from;
    ready[(readyHead + readyCount++) % ready.length] = entry;
  }

  /** Whether the entry's data are here already and only its requests are being handed out. */
  boolean isFilled(int entry) {
    return filled[entry];
  }

  public boolean hasReady() {
    return readyCount > 0;
  }

  /** Hands out the next request whose data are here; an entry without requests is free again. */
  public MemoryRequest takeReady() {
    int entry = ready[readyHead];
    int number = (int) table.take(entry);
    MemoryRequest request = requests[number];
    requests[number] = null;
    freeNumbers[freeCount++] = number;
    request.level = level[entry];
    if (!table.hasWaiter(entry)) {
      readyHead = (readyHead + 1) % ready.length;
      readyCount--;
      table.remove(entry);
    }
    return request;
  }

  /** Sectors under way. */
  public int inUse() {
    return table.size();
  }
}
