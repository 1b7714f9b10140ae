package dev.warpline.nvidia.hopper;

import java.util.Arrays;

/**
 * The asynchronous barriers of one block: objects in shared memory, each with a phase, the arrivals
 * still pending in it, the arrivals expected in every phase, and the bytes that copies have been
 * promised to bring minus those that came.
 *
 * <p>A phase ends when no arrival is pending and no byte is outstanding. Bytes may come before they
 * were announced, so their balance may be negative for a while.
 */
public final class Mbarriers {
  private int size;
  private int[] address = new int[8];
  private int[] phase = new int[8];
  private int[] pending = new int[8];
  private int[] expected = new int[8];
  private long[] bytes = new long[8];
  private long[] waiters = new long[8];

  /** Forgets all barriers. */
  public void clear() {
    size = 0;
  }

  /** Arrivals per phase that a stored initial value stands for: counts are kept as 2^20 - count. */
  public static int expectedArrivals(long initialValue) {
    return (int) (0x100000 - (initialValue >> 1 & 0xfffff));
  }

  /**
   * Makes a barrier at a shared address, or makes it anew.
   *
   * @param firstPhase 0, or 1 for a barrier whose first wait is to pass at once: the top bit of the
   *     stored object
   */
  public void init(int at, int arrivals, int firstPhase) {
    int i = find(at);
    if (i < 0) {
      i = size++;
      if (size > address.length) {
        grow();
      }
      address[i] = at;
    }
    phase[i] = firstPhase;
    pending[i] = arrivals;
    expected[i] = arrivals;
    bytes[i] = 0;
    waiters[i] = 0;
  }

  /** Whether a barrier was initialised at a shared address. */
  public boolean exists(int at) {
    return find(at) >= 0;
  }

  /**
   * Arrivals, with bytes they announce.
   *
   * @return the warps that this frees, as a bit mask over the block's warps
   */
  public long arrive(int at, int arrivals, long announced) {
    int i = require(at);
    pending[i] -= arrivals;
    bytes[i] += announced;
    return complete(i);
  }

  /** Bytes announced without an arrival. */
  public void expect(int at, long announced) {
    bytes[require(at)] += announced;
  }

  /**
   * Bytes that a copy brought.
   *
   * @return the warps that this frees
   */
  public long bring(int at, long brought) {
    int i = require(at);
    bytes[i] -= brought;
    return complete(i);
  }

  /** Whether the phase of a parity is over. */
  public boolean passed(int at, int parity) {
    return (phase[require(at)] & 1) != (parity & 1);
  }

  /** Puts a warp among those that the end of the current phase frees. */
  public void await(int at, int warp) {
    waiters[require(at)] |= 1L << warp;
  }

  /** A barrier's state in words, for a report of who waits for what. */
  public String describe(int at) {
    int i = find(at);
    if (i < 0) {
      return String.format("mbarrier 0x%x, never initialised", at);
    }
    return String.format(
        "mbarrier 0x%x, phase %d: %d of %d arrivals missing, %d bytes outstanding",
        at, phase[i], Math.max(0, pending[i]), expected[i], bytes[i]);
  }

  private long complete(int i) {
    if (pending[i] > 0 || bytes[i] != 0) {
      return 0;
    }
    phase[i]++;
    pending[i] = expected[i];
    long freed = waiters[i];
    waiters[i] = 0;
    return freed;
  }

  private int require(int at) {
    int i = find(at);
    if (i < 0) {
      throw new UninitialisedBarrierException(at);
    }
    return i;
  }

  private int find(int at) {
    for (int i = 0; i < size; i++) {
      if (address[i] == at) {
        return i;
      }
    }
    return -1;
  }

  private void grow() {
    int n = 2 * address.length;
    address = Arrays.copyOf(address, n);
    phase = Arrays.copyOf(phase, n);
    pending = Arrays.copyOf(pending, n);
    expected = Arrays.copyOf(expected, n);
    bytes = Arrays.copyOf(bytes, n);
    waiters = Arrays.copyOf(waiters, n);
  }
}
