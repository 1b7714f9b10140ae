package dev.warpline.memory;

import dev.warpline.policy.LowestBit;
import java.util.Arrays;

/**
 * Joins what the lanes of a memory instruction touch into one access for each segment of memory.
 * The cores differ in three numbers: how long a segment is, how many bytes one bit of the mask of
 * touched bytes stands for, and the order of the accesses. The result stands in the public arrays
 * until the next {@link #begin}.
 */
public final class Coalescer {
  /** Bits of a mask. */
  private static final int CELLS = 32;

  private static final int NONE = -1;

  /** The order in which accesses leave. */
  public enum Order {
    /** By address, as Accel-Sim sends sectors. */
    ASCENDING,
    /** As the lanes first touch them. */
    AS_TOUCHED
  }

  private final boolean ascending;
  private final int cellShift;
  private long segmentBytes;
  private int recent;

  /** By a hash of their address: segments that there are; and the address of the last of them. */
  private long seen;

  private long greatest;

  /** Accesses. */
  public int count;

  /** First byte of each access's segment. */
  public long[] start = new long[64];

  /** Bytes touched of each, one bit for so many bytes as a cell has. */
  public int[] touched = new int[64];

  /** Lanes that take part in each; one that touches it in two pieces counts twice. */
  public int[] lanes = new int[64];

  /**
   * @param cellBytes bytes that a bit of {@link #touched} stands for, a power of two
   */
  public Coalescer(Order order, int cellBytes) {
    ascending = order == Order.ASCENDING;
    cellShift = Integer.numberOfTrailingZeros(cellBytes);
  }

  /**
   * Starts an instruction.
   *
   * @param bytes of a segment, a power of two
   */
  public void begin(int bytes) {
    segmentBytes = bytes;
    count = 0;
    recent = NONE;
    seen = 0;
    greatest = Long.MIN_VALUE;
  }

  /** Bytes of a segment of this instruction. */
  public int segmentBytes() {
    return (int) segmentBytes;
  }

  /** Every lane of a mask touches so many bytes from its address on. */
  public void touch(long[] address, int mask, int bytes) {
    for (int m = mask; m != 0; m &= m - 1) {
      touch(address[LowestBit.of(m)], bytes);
    }
  }

  /** A lane touches some bytes. */
  public void touch(long from, int bytes) {
    long end = from + bytes - 1;
    long first = from & -segmentBytes;
    if (recent != NONE && start[recent] == first && from >> cellShift == end >> cellShift) {
      // Most lanes touch one cell, of the segment that the lane before touched.
      touched[recent] |= 1 << (int) (from - first >> cellShift);
      lanes[recent]++;
      return;
    }
    for (long at = first; at <= end; at += segmentBytes) {
      if (recent == NONE || start[recent] != at) {
        recent = find(at);
      }
      touched[recent] |= cells(Math.max(0, from - at), Math.min(segmentBytes - 1, end - at));
      lanes[recent]++;
    }
  }

  /**
   * A lane touches bytes of one segment that no other lane of the same access may touch: as
   * Accel-Sim splits atomics.
   */
  public void touchAlone(long from, int bytes) {
    long at = from & -segmentBytes;
    int own = cells(from - at, from - at + bytes - 1);
    int i = 0;
    while (i < count && start[i] < at) {
      i++;
    }
    while (i < count && start[i] == at && (touched[i] & own) != 0) {
      i++;
    }
    if (i == count || start[i] != at) {
      insert(i, at);
    }
    touched[i] |= own;
    lanes[i]++;
  }

  /** Whether {@link #touchRun} can stand in for lanes with this distance. */
  public boolean isRun(long first, long distance, int bytes) {
    return distance == bytes
        && (first & bytes - 1) == 0
        && segmentBytes <= (long) CELLS << cellShift;
  }

  /** Lanes whose aligned bytes follow each other without a gap. */
  public void touchRun(long first, int laneCount, int bytes) {
    long end = first + (long) laneCount * bytes;
    for (long at = first & -segmentBytes; at < end; at += segmentBytes) {
      long from = Math.max(at, first);
      int length = (int) (Math.min(at + segmentBytes, end) - from);
      int i = count;
      insert(i, at);
      touched[i] = cells(from - at, from - at + length - 1);
      lanes[i] = length / bytes;
    }
  }

  private int find(long at) {
    int i = count - 1;
    if (!ascending) {
      long hashed = 1L << (at * 0x9E3779B97F4A7C15L >>> 58);
      if (at <= greatest && (seen & hashed) != 0) {
        while (i >= 0 && start[i] != at) {
          i--;
        }
        if (i >= 0) {
          return i;
        }
      }
      seen |= hashed;
      greatest = Math.max(greatest, at);
      insert(count, at);
      return count - 1;
    }
    while (i >= 0 && start[i] > at) {
      i--;
    }
    if (i >= 0 && start[i] == at) {
      return i;
    }
    insert(i + 1, at);
    return i + 1;
  }

  private void insert(int where, long at) {
    if (count == start.length) {
      start = Arrays.copyOf(start, 2 * count);
      touched = Arrays.copyOf(touched, 2 * count);
      lanes = Arrays.copyOf(lanes, 2 * count);
    }
    for (int i = count; i > where; i--) {
      start[i] = start[i - 1];
      touched[i] = touched[i - 1];
      lanes[i] = lanes[i - 1];
    }
    count++;
    start[where] = at;
    touched[where] = 0;
    lanes[where] = 0;
  }

  /**
   * The cells from one byte of a segment to another. In a segment that has more cells than a mask
   * has bits they are taken modulo its bits.
   */
  private int cells(long firstByte, long lastByte) {
    int first = (int) firstByte >> cellShift;
    int number = ((int) lastByte >> cellShift) - first + 1;
    return (number >= CELLS ? -1 : (1 << number) - 1) << (first & CELLS - 1);
  }
}
