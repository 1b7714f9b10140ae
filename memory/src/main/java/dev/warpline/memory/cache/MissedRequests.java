package dev.warpline.memory.cache;

import dev.warpline.memory.MemoryRequest;
import java.util.Arrays;

/**
 * Requests that wait in a data cache's miss table (miss-status holding registers): an entry is a
 * sector under way. Those whose data came are handed out one at a time, entry by entry.
 */
public final class MissedRequests {
  /** Requests of an entry that there is room for at first. */
  private static final int FEW = 4;

  private final int merge;
  private final LineIndex index = new LineIndex();

  // By entry: its sector, the requests that came, how many came and were handed out, and the rest.
  private final long[] sector;
  private final MemoryRequest[][] requests;
  private final int[] came;
  private final int[] taken;
  private final boolean[] atomic;
  private final boolean[] filled;
  private final byte[] level;

  private final int[] freeEntries;
  private int freeCount;

  // Entries whose data are here, oldest first.
  private final int[] ready;
  private int readyHead;
  private int readyCount;

  /**
   * @param entries sectors under way at a time
   * @param merge requests that may wait for one of them
   */
  MissedRequests(int entries, int merge) {
    this.merge = merge;
    sector = new long[entries];
    requests = new MemoryRequest[entries][FEW];
    came = new int[entries];
    taken = new int[entries];
    atomic = new boolean[entries];
    filled = new boolean[entries];
    level = new byte[entries];
    ready = new int[entries];
    freeEntries = new int[entries];
    for (int entry = entries - 1; entry >= 0; entry--) {
      freeEntries[freeCount++] = entry;
    }
  }

  /** Entry of a sector that is under way, or -1. */
  int find(long itsSector) {
    return index.find(itsSector);
  }

  boolean canMerge(int entry) {
    return came[entry] - taken[entry] < merge;
  }

  boolean canAdd() {
    return freeCount > 0;
  }

  int add(long itsSector) {
    int entry = freeEntries[--freeCount];
    sector[entry] = itsSector;
    came[entry] = 0;
    taken[entry] = 0;
    atomic[entry] = false;
    filled[entry] = false;
    index.add(itsSector, entry);
    return entry;
  }

  /** Lets a request wait for an entry. */
  void await(int entry, MemoryRequest request) {
    int at = came[entry]++;
    if (at == requests[entry].length) {
      requests[entry] = Arrays.copyOf(requests[entry], 2 * at);
    }
    requests[entry][at] = request;
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
    int at = readyHead + readyCount++;
    ready[at < ready.length ? at : at - ready.length] = entry;
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
    int at = taken[entry]++;
    MemoryRequest request = requests[entry][at];
    requests[entry][at] = null;
    request.level = level[entry];
    if (taken[entry] == came[entry]) {
      readyHead = readyHead + 1 < ready.length ? readyHead + 1 : 0;
      readyCount--;
      index.remove(sector[entry], entry);
      freeEntries[freeCount++] = entry;
    }
    return request;
  }

  /** Sectors under way. */
  public int inUse() {
    return sector.length - freeCount;
  }
}
