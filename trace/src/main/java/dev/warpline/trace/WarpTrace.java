package dev.warpline.trace;

import java.util.Arrays;

/**
 * What one warp has executed so far, for those who make a block's trace while its warps run by
 * turns: rows of the code table, lane masks, payloads. {@link BlockTrace#gather} puts the warps of
 * a block together.
 */
public final class WarpTrace {
  int instructions;
  int[] row = new int[256];
  int[] mask = new int[256];
  int[] payload = new int[256];
  long[] data = new long[256];
  int dataSize;

  /** The last payload of the instruction added last, or -1. */
  private int last = -1;

  /** Forgets everything, keeping the arrays. */
  public void clear() {
    instructions = 0;
    dataSize = 0;
    last = -1;
  }

  /** How many instructions it has. */
  public int instructions() {
    return instructions;
  }

  /** Bytes that it holds. */
  public long bytes() {
    return 12L * instructions + 8L * dataSize;
  }

  /** Adds an instruction. */
  public void add(int codeRow, int lanes) {
    int i = instructions;
    if (i == row.length) {
      row = Arrays.copyOf(row, i * 2);
      mask = Arrays.copyOf(mask, i * 2);
      payload = Arrays.copyOf(payload, i * 2);
    }
    row[i] = codeRow;
    mask[i] = lanes;
    payload[i] = BlockTrace.NO_PAYLOAD;
    instructions = i + 1;
    last = -1;
  }

  /**
   * The addresses of the lanes of the instruction added last: base and stride when they are one run
   * of at least two lanes with equal steps, else a list. A copy from global to shared memory has
   * its global ones first, then the shared ones.
   *
   * @param addresses by lane
   */
  public void addresses(long[] addresses) {
    int lanes = mask[instructions - 1];
    int first = Integer.numberOfTrailingZeros(lanes);
    int count = Integer.bitCount(lanes);
    boolean strided = count > 1 && (lanes >>> first & (lanes >>> first) + 1) == 0;
    long stride = strided ? addresses[first + 1] - addresses[first] : 0;
    for (int lane = first + 2; strided && lane < first + count; lane++) {
      strided = addresses[lane] - addresses[lane - 1] == stride;
    }
    if (strided) {
      int at = begin(Payload.STRIDE, 3);
      data[at + 1] = addresses[first];
      data[at + 2] = stride;
      return;
    }
    int at = begin(Payload.LIST, count + 1);
    for (int m = lanes; m != 0; m &= m - 1) {
      data[++at] = addresses[Integer.numberOfTrailingZeros(m)];
    }
  }

  /**
   * What a bulk or tensor copy moves; {@link #sectors} say where.
   *
   * @param mbarrier shared address of the mbarrier that counts its bytes, 0 if none
   * @param targets blocks of the cluster that a multicast goes to, 0 if it is none
   * @param bytes all of them
   * @param outside those of them that lie outside of the tensor
   */
  public void bulk(long mbarrier, long targets, long bytes, long outside) {
    int at = begin(Payload.BULK, 5);
    data[at + 1] = mbarrier;
    data[at + 2] = targets;
    data[at + 3] = bytes;
    data[at + 4] = outside;
  }

  /** Adds a run of 32-byte sectors of global memory to the bulk copy added last. */
  public void sectors(long address, long stride, long count) {
    room(3);
    data[dataSize] = address;
    data[dataSize + 1] = stride;
    data[dataSize + 2] = count;
    dataSize += 3;
    data[last] += 3L << 32;
  }

  /** Values of a register of the instruction added last: one, or one for each of 32 lanes. */
  public void values(long... values) {
    int words = 1 + values.length;
    if (last >= 0 && (data[last] & 0xff) == Payload.VALUES) {
      room(words);
      data[last] += (long) words << 32;
    } else {
      begin(Payload.VALUES, 1 + words);
      dataSize -= words;
    }
    data[dataSize] = values.length;
    System.arraycopy(values, 0, data, dataSize + 1, values.length);
    dataSize += words;
  }

  /** Begins a payload of the instruction added last, after those that it has. */
  private int begin(int kind, int words) {
    room(words);
    int at = dataSize;
    if (last < 0) {
      payload[instructions - 1] = at;
    } else {
      data[last] |= Payload.HAS_NEXT;
    }
    last = at;
    data[at] = Payload.header(kind, words);
    dataSize = at + words;
    return at;
  }

  private void room(int words) {
    if (data.length - dataSize < words) {
      data = Arrays.copyOf(data, Math.max(data.length * 2, dataSize + words));
    }
  }
}
