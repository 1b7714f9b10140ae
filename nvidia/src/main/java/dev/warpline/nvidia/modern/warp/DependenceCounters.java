package dev.warpline.nvidia.modern.warp;

import dev.warpline.isa.ControlBits;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.code.CodeRows;
import java.util.Arrays;

/**
 * Six counters per warp that the compiler uses for instructions of unknown length: up at issue,
 * down when the result is written or the sources are read. An increment is seen when its
 * instruction has passed Control; of several that have not, only the last is kept back.
 */
public final class DependenceCounters {
  public static final int COUNTERS = 6;
  private static final int PENDING = 64;

  private final int slots;
  private final int toAllocate;
  private final int[] open;
  private final long[] releaseAt;
  private final int[] openBefore;
  private final long[] releaseBefore;
  private final long[] visibleAt;
  private final byte[] reason;

  // Releases of each counter, kept only where code waits for a count.
  private long[] pending;
  private final int[] pendings;

  /** By warp. */
  private final CodeRows[] code;

  /** What the last {@link #readyAt} waits for. */
  byte why;

  int counter;

  DependenceCounters(int slots, int toAllocate) {
    this.toAllocate = toAllocate;
    this.slots = slots;
    code = new CodeRows[slots];
    open = new int[slots * COUNTERS];
    releaseAt = new long[slots * COUNTERS];
    openBefore = new int[slots * COUNTERS];
    releaseBefore = new long[slots * COUNTERS];
    visibleAt = new long[slots * COUNTERS];
    reason = new byte[slots * COUNTERS];
    pendings = new int[slots * COUNTERS];
  }

  void start(int w, CodeRows its) {
    code[w] = its;
    int from = w * COUNTERS;
    int to = from + COUNTERS;
    Arrays.fill(open, from, to, 0);
    Arrays.fill(releaseAt, from, to, 0);
    Arrays.fill(visibleAt, from, to, 0);
    Arrays.fill(pendings, from, to, 0);
  }

  /** A counter goes up for an instruction issued now; its release is not known yet. */
  public void open(int w, int counter, byte why, long now) {
    int c = w * COUNTERS + counter;
    openBefore[c] = open[c];
    releaseBefore[c] = releaseAt[c];
    visibleAt[c] = now + toAllocate;
    open[c]++;
    reason[c] = why;
    if (code[w].hasDepbar && pendings[c] < PENDING) {
      if (pending == null) {
        pending = new long[slots * COUNTERS * PENDING];
      }
      pending[c * PENDING + pendings[c]++] = Warps.NEVER;
    }
  }

  void close(int w, int counter, long when, byte why) {
    int c = w * COUNTERS + counter;
    open[c]--;
    if (openBefore[c] > 0) {
      openBefore[c]--;
      releaseBefore[c] = Math.max(releaseBefore[c], when);
    }
    if (when >= releaseAt[c]) {
      releaseAt[c] = when;
      reason[c] = why;
    }
    if (code[w].hasDepbar) {
      for (int i = 0; i < pendings[c]; i++) {
        if (pending[c * PENDING + i] == Warps.NEVER) {
          pending[c * PENDING + i] = when;
          break;
        }
      }
    }
  }

  void delay(int w, int counter, long said, long when) {
    if (counter == ControlBits.NO_BARRIER) {
      return;
    }
    int c = w * COUNTERS + counter;
    releaseAt[c] = Math.max(releaseAt[c], when);
    if (releaseBefore[c] == said) {
      releaseBefore[c] = when;
    }
    for (int i = 0; i < pendings[c]; i++) {
      if (pending[c * PENDING + i] == said) {
        pending[c * PENDING + i] = when;
        break;
      }
    }
  }

  /** When all counters that an instruction waits for let it go; not before {@code ready}. */
  long readyAt(int w, CodeRow row, long seenAt, long ready) {
    int mask = row.waitMask;
    boolean depbar = row.action == CodeRow.DEPBAR;
    if (depbar) {
      mask |= row.depbarZero;
    }
    int last = -1;
    int first = w * COUNTERS;
    for (; mask != 0; mask &= mask - 1) {
      int k = Integer.numberOfTrailingZeros(mask);
      int c = first + k;
      boolean seen = seenAt >= visibleAt[c];
      if ((seen ? open[c] : openBefore[c]) > 0) {
        ready = Warps.NEVER;
        last = k;
      } else {
        long release = seen ? releaseAt[c] : releaseBefore[c];
        if (release > ready) {
          ready = release;
          last = k;
        }
      }
    }
    if (depbar) {
      int counted = row.depbarCounter;
      if (counted != ControlBits.NO_BARRIER && counted < COUNTERS) {
        long when = countAtMost(first + counted, row.depbarLimit, seenAt);
        if (when > ready) {
          ready = when;
          last = counted;
        }
      }
    }
    if (last >= 0) {
      counter = last;
      why = reason[first + last];
    }
    return ready;
  }

  /** When at most {@code limit} increments of a counter are outstanding. */
  private long countAtMost(int c, int limit, long now) {
    int base = c * PENDING;
    int n = pendings[c];
    if (n <= limit) {
      return 0;
    }
    long[] sorted = Arrays.copyOfRange(pending, base, base + n);
    Arrays.sort(sorted);
    long when = sorted[n - limit - 1];
    // The released ones will never matter again.
    int kept = 0;
    for (int i = 0; i < n; i++) {
      if (pending[base + i] > now) {
        pending[base + kept++] = pending[base + i];
      }
    }
    pendings[c] = kept;
    return when;
  }
}
