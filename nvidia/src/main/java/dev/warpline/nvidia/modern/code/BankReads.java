package dev.warpline.nvidia.modern.code;

/**
 * What an instruction reads from one register bank in the window behind its issue, as the
 * register-file cache sees it: 16 bits for each of the operand's positions, so that all are
 * compared at once. A place of the cache is a bank and a position; what is kept there is {@link
 * #tags a warp and a register}.
 */
public final class BankReads {
  /** A place that keeps nothing; the highest bit of all places. */
  public static final long NOTHING = 0x8000_8000_8000_8000L;

  private static final long ONES = 0x0001_0001_0001_0001L;
  private static final int BITS = 16;
  private static final int ALL = (1 << BITS) - 1;

  /** Ports that all reads take. */
  public int reads;

  /** By place: the register that is read there first, and whether that is so. */
  private long first;

  private long present;

  /** Of those, the ones that take a port: another position does not read the same register. */
  private long counted;

  /** All bits of the places that are read, and what they hold afterwards, a warp added where. */
  private long places;

  private long held;
  private long keeps;

  /** What tells a warp's registers from those of others, at all places. */
  public static long tags(int warp) {
    return (warp << 8) * ONES;
  }

  /** A register of the bank is read, after those that were added before. */
  void add(int position, int register, boolean again, boolean kept) {
    int at = position * BITS;
    reads += again ? 0 : 1;
    if ((present >>> at & ALL) == 0) {
      first |= (long) register << at;
      present |= NOTHING & (long) ALL << at;
      counted |= again ? 0 : NOTHING & (long) ALL << at;
      places |= (long) ALL << at;
    }
    held = held & ~((long) ALL << at) | (kept ? (long) register << at : NOTHING & (long) ALL << at);
    keeps = keeps & ~((long) ALL << at) | (kept ? (long) ALL << at : 0);
  }

  /**
   * Which places have the register that is read there: their highest bits.
   *
   * @param cache what a bank keeps
   */
  public long hits(long cache, long tags) {
    long differ = cache ^ first + tags;
    return ~((differ & ~NOTHING) + ~NOTHING | differ) & present;
  }

  /** Ports that are left to take where some places have what is read. */
  public int left(long hits) {
    return reads - Long.bitCount(hits & counted);
  }

  /** What the bank keeps afterwards. */
  public long keep(long cache, long tags) {
    return cache & ~places | held | tags & keeps;
  }
}
