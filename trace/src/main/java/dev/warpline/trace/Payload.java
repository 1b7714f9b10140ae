package dev.warpline.trace;

/**
 * How addresses and values of a dynamic instruction stand in {@link BlockTrace#data()}.
 *
 * <p>A payload begins with a header word: kind in bits 0-7, {@link #HAS_NEXT} in bit 8 (another
 * payload follows directly), its length in words (header included) in bits 32-63. What follows by
 * kind:
 *
 * <ul>
 *   <li>{@link #STRIDE}: base, stride. The first active lane is at base; each following active lane
 *       adds stride (the tracer uses this only when the active lanes are one contiguous run).
 *   <li>{@link #LIST}: one address per active lane, ascending lanes. Where bit 9 is set, the first
 *       active lane's address alone; bits 10-31 of the header are the offset of a list whose lanes
 *       are as far apart. Else they are {@link #shape}.
 *   <li>{@link #BULK}: mbarrier address, multicast CTA mask (0: none), bytes, bytes out of bounds,
 *       then runs of sectors: (first address, stride, count) each.
 *   <li>{@link #VALUES}: the recorded register values: for each operand a count (1 or 32) and that
 *       many words.
 * </ul>
 */
public final class Payload {
  public static final int STRIDE = 1;
  public static final int LIST = 2;
  public static final int BULK = 3;
  public static final int VALUES = 4;

  /** Header flag: another payload of the same instruction follows this one. */
  public static final long HAS_NEXT = 1L << 8;

  /** Header flag of a list that another stands for. */
  private static final long SHARED = 1L << 9;

  private static final int SHARED_OFFSET = 10;

  /** Words of a list that another stands for, and the most that the other's offset can be. */
  static final int SHARED_WORDS = 2;

  /** A list of fewer words than this is as short as a reference. */
  static final int LEAST_SHARED_WORDS = SHARED_WORDS + 2;

  static final int MOST_SHARED_OFFSET = (1 << 22) - 1;

  private Payload() {}

  /** Kind of the payload at an offset. */
  public static int kind(long[] data, int at) {
    return (int) data[at] & 0xff;
  }

  /** Words of the payload at an offset, its header included. */
  public static int length(long[] data, int at) {
    return (int) (data[at] >>> 32);
  }

  /** Offset of the payload that follows, or -1. */
  public static int next(long[] data, int at) {
    return (data[at] & HAS_NEXT) != 0 ? at + length(data, at) : -1;
  }

  /** Offset of the instruction's payload of a kind, or -1. */
  public static int find(long[] data, int at, int kind) {
    while (at >= 0 && kind(data, at) != kind) {
      at = next(data, at);
    }
    return at;
  }

  /**
   * Expands the lane addresses of a {@link #STRIDE} or {@link #LIST} payload.
   *
   * @param out receives the address of each active lane at the lane's index; others are left alone
   */
  public static void addresses(long[] data, int at, int mask, long[] out) {
    if ((data[at] & SHARED) != 0) {
      int list = standIn(data[at]);
      long apart = data[at + 1] - data[list + 1];
      int i = list + 1;
      for (int lane = 0; lane < Integer.SIZE; lane++) {
        if ((mask >>> lane & 1) != 0) {
          out[lane] = data[i++] + apart;
        }
      }
    } else if (kind(data, at) == STRIDE) {
      long address = data[at + 1];
      long stride = data[at + 2];
      for (int lane = 0; lane < Integer.SIZE; lane++) {
        if ((mask >>> lane & 1) != 0) {
          out[lane] = address;
          address += stride;
        }
      }
    } else if (mask == -1) {
      System.arraycopy(data, at + 1, out, 0, 32);
    } else {
      int i = at + 1;
      for (int lane = 0; lane < Integer.SIZE; lane++) {
        if ((mask >>> lane & 1) != 0) {
          out[lane] = data[i++];
        }
      }
    }
  }

  /** How many addresses a {@link #LIST} has. */
  public static int listed(long[] data, int at) {
    return length(data, (data[at] & SHARED) != 0 ? standIn(data[at]) : at) - 1;
  }

  /** An address of a {@link #LIST}, counted from 0. */
  public static long listed(long[] data, int at, int index) {
    if ((data[at] & SHARED) == 0) {
      return data[at + 1 + index];
    }
    int list = standIn(data[at]);
    return data[at + 1] - data[list + 1] + data[list + 1 + index];
  }

  /**
   * The number of a {@link #LIST} by how far apart its lanes are, among those of {@link
   * BlockTrace#shapesOf}; 0 if it has none.
   */
  public static int shape(long[] data, int at) {
    int list = (data[at] & SHARED) != 0 ? standIn(data[at]) : at;
    return (int) data[list] >>> SHARED_OFFSET;
  }

  /** Gives a list that stands for itself the number of its shape. */
  static void putShape(long[] data, int at, int number) {
    data[at] |= (long) number << SHARED_OFFSET;
  }

  /** Writes a list that another stands for. */
  static void putShared(long[] data, int at, long first, int list, long hasNext) {
    data[at] = header(LIST, SHARED_WORDS) | SHARED | hasNext | (long) list << SHARED_OFFSET;
    data[at + 1] = first;
  }

  /** Offset of the list that stands for one with this header. */
  private static int standIn(long header) {
    return (int) header >>> SHARED_OFFSET;
  }

  /** Header word of a payload. */
  static long header(int kind, int words) {
    return (long) words << 32 | kind;
  }
}
