package dev.warpline.nvidia.hopper;

/**
 * The bulk groups of one warp's copies out of shared memory: copies join the open group, a commit
 * closes it, and a wait asks that at most n closed groups are still reading their sources (or, in
 * the stricter form, still writing).
 *
 * <p>Groups end in order, so a group is over when it and all before it are.
 */
public final class CopyGroups {
  private long[] read = new long[4];
  private long[] written = new long[4];
  private int first;
  private int closed;
  private long openRead;
  private long openWritten;

  /** Forgets all groups. */
  public void clear() {
    first = 0;
    closed = 0;
    openRead = 0;
    openWritten = 0;
  }

  /** A copy of the open group, which has read its sources and has written at the given cycles. */
  public void join(long readAt, long writtenAt) {
    openRead = Math.max(openRead, readAt);
    openWritten = Math.max(openWritten, writtenAt);
  }

  /** Closes the open group. */
  public void commit() {
    if (closed == read.length) {
      read = unroll(read);
      written = unroll(written);
      first = 0;
    }
    int before = closed == 0 ? -1 : index(closed - 1);
    int at = index(closed++);
    read[at] = before < 0 ? openRead : Math.max(openRead, read[before]);
    written[at] = before < 0 ? openWritten : Math.max(openWritten, written[before]);
    openRead = 0;
    openWritten = 0;
  }

  /**
   * When at most {@code allowed} groups are left.
   *
   * @param sourcesOnly whether it is enough that a group has read its sources
   * @return the cycle, or 0 if that holds already
   */
  public long readyAt(int allowed, boolean sourcesOnly) {
    int last = closed - allowed - 1;
    return last < 0 ? 0 : (sourcesOnly ? read : written)[index(last)];
  }

  /** Drops groups that were over before a cycle. */
  public void retire(long cycle) {
    while (closed > 0 && written[index(0)] <= cycle) {
      first = index(1);
      closed--;
    }
  }

  private int index(int i) {
    return (first + i) % read.length;
  }

  private long[] unroll(long[] ring) {
    long[] bigger = new long[2 * ring.length];
    for (int i = 0; i < closed; i++) {
      bigger[i] = ring[(first + i) % ring.length];
    }
    return bigger;
  }
}
