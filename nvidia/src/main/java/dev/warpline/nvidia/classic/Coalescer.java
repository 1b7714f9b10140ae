package dev.warpline.nvidia.classic;

/**
 * Turns the lane addresses of an instruction into sector accesses in ascending order. The result
 * stands in the public arrays until the next call.
 */
final class Coalescer {
  /** 32 lanes, each over at most four 4-byte pieces of two sectors. */
  private static final int MOST = 32 * 8;

  private final int segmentBytes1;
  private final int segmentBytes2;
  private final int segmentBytes4;

  final long[] address = new long[MOST];
  final int[] bytes = new int[MOST];

  /** Bytes written within the 32-byte sector that starts at the address. */
  final int[] byteMask = new int[MOST];

  final int[] lanes = new int[MOST];
  int count;

  /**
   * @param architecture rule set, as an SM number; from 40 on everything is 32-byte sectors
   */
  Coalescer(int architecture, boolean throughL1) {
    boolean sectors = architecture >= 40 || !throughL1;
    segmentBytes1 = 32;
    segmentBytes2 = sectors ? 32 : 64;
    segmentBytes4 = sectors ? 32 : 128;
  }

  private int segment(int width) {
    return width == 1 ? segmentBytes1 : width == 2 ? segmentBytes2 : segmentBytes4;
  }

  /** Loads and stores: one access per segment touched. */
  void coalesce(long[] laneAddress, int mask, int width) {
    count = 0;
    int segment = segment(width);
    long segmentMask = -segment;
    for (int m = mask; m != 0; m &= m - 1) {
      int lane = Integer.numberOfTrailingZeros(m);
      long a = laneAddress[lane];
      if (a == 0) {
        continue;
      }
      long first = a & segmentMask;
      long last = a + width - 1 & segmentMask;
      touch(first, a, first == last ? width : (int) (last - a), segment);
      if (last != first) {
        touch(last, last, (int) (a + width - last), segment);
      }
    }
  }

  /** Whether {@link #coalesceRun} can stand in for {@link #coalesce}. */
  boolean isRun(long first, long stride, int width) {
    return stride == width && segmentBytes4 == 32 && first != 0 && (first & width - 1) == 0;
  }

  /** The same for lanes whose aligned accesses follow each other without a gap. */
  void coalesceRun(long first, int laneCount, int width) {
    long end = first + (long) laneCount * width;
    count = 0;
    for (long start = first & -32; start < end; start += 32) {
      long from = Math.max(start, first);
      int length = (int) (Math.min(start + 32, end) - from);
      address[count] = start;
      bytes[count] = 32;
      byteMask[count] = maskOf(from, length);
      lanes[count] = length / width;
      count++;
    }
  }

  /** Like {@link #coalesce}, each lane touching several pieces at a stride. */
  void coalesceStrided(long[] laneAddress, int mask, int width, int pieces, long stride) {
    count = 0;
    for (int m = mask; m != 0; m &= m - 1) {
      long a = laneAddress[Integer.numberOfTrailingZeros(m)];
      for (int piece = 0; piece < pieces; piece++, a += stride) {
        touch(a & -32, a, width, 32);
      }
    }
  }

  private void touch(long start, long a, int width, int segment) {
    int at = count - 1;
    while (at >= 0 && address[at] > start) {
      at--;
    }
    if (at < 0 || address[at] != start) {
      at++;
      for (int i = count; i > at; i--) {
        address[i] = address[i - 1];
        bytes[i] = bytes[i - 1];
        byteMask[i] = byteMask[i - 1];
        lanes[i] = lanes[i - 1];
      }
      count++;
      address[at] = start;
      bytes[at] = segment;
      byteMask[at] = 0;
      lanes[at] = 0;
    }
    byteMask[at] |= maskOf(a, width);
    lanes[at]++;
  }

  private static int maskOf(long a, int width) {
    int ones = width >= 32 ? -1 : (1 << width) - 1;
    return ones << (int) (a & 31);
  }

  /** Atomics: lanes that touch the same bytes need an access each. */
  void coalesceAtomic(long[] laneAddress, int mask, int width) {
    count = 0;
    for (int m = mask; m != 0; m &= m - 1) {
      long a = laneAddress[Integer.numberOfTrailingZeros(m)];
      if (a == 0) {
        continue;
      }
      long start = a & -32;
      int touched = maskOf(a, width);
      int at = 0;
      while (at < count && address[at] < start) {
        at++;
      }
      while (at < count && address[at] == start && (byteMask[at] & touched) != 0) {
        at++;
      }
      if (at == count || address[at] != start) {
        for (int i = count; i > at; i--) {
          address[i] = address[i - 1];
          bytes[i] = bytes[i - 1];
          byteMask[i] = byteMask[i - 1];
          lanes[i] = lanes[i - 1];
        }
        count++;
        address[at] = start;
        bytes[at] = 32;
        byteMask[at] = 0;
        lanes[at] = 0;
      }
      byteMask[at] |= touched;
      lanes[at]++;
    }
  }
}
