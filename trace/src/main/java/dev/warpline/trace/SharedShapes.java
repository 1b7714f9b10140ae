package dev.warpline.trace;

import java.util.Arrays;

/**
 * Keeps the payload words of a block small: of lists of addresses that differ in their first
 * address alone, the first stands in full and the others are that address and where the first one
 * is. A reader has one; its blocks grow here and take from here only what they need, since hundreds
 * of them are resident at once.
 */
final class SharedShapes {
  private static final int SLOTS = 1 << 12;

  private long[] full = new long[1024];
  private long[] small = new long[1024];
  private long[] own;

  /**
   * Offsets of lists in {@link #small} by hash, plus one; a later list takes an earlier's place.
   */
  private final int[] lists = new int[SLOTS];

  private final ShapeNumbers numbers = new ShapeNumbers();

  /** What is read into a block from now on grows here. */
  void begin(BlockTrace into) {
    own = into.data == full ? new long[0] : into.data;
    into.data = full;
  }

  /** The block has been read: it gets the words that it needs. */
  void end(BlockTrace into) {
    full = into.data;
    Arrays.fill(lists, 0);
    if (small.length < into.dataSize) {
      small = new long[full.length];
    }
    int size = 0;
    int[] payloads = into.payloads();
    for (int i = 0; i < into.payloadCount(); i++) {
      int at = payloads[i];
      if (at != BlockTrace.NO_PAYLOAD) {
        payloads[i] = size;
      }
      while (at >= 0) {
        size += put(at, size);
        at = Payload.next(full, at);
      }
    }
    if (own.length < size) {
      own = new long[size];
    }
    System.arraycopy(small, 0, own, 0, size);
    into.data = own;
    into.dataSize = size;
    into.shapesOf = numbers.whose;
    own = null;
  }

  /** Writes a payload; returns its words. */
  private int put(int at, int size) {
    int words = Payload.length(full, at);
    if (Payload.kind(full, at) == Payload.LIST && words >= Payload.LEAST_SHARED_WORDS) {
      int slot = slot(at, words);
      int list = lists[slot] - 1;
      if (list >= 0 && isAlike(at, words, list)) {
        Payload.putShared(small, size, full[at + 1], list, full[at] & Payload.HAS_NEXT);
        return Payload.SHARED_WORDS;
      }
      if (size <= Payload.MOST_SHARED_OFFSET) {
        lists[slot] = size + 1;
      }
      System.arraycopy(full, at, small, size, words);
      Payload.putShape(small, size, numbers.of(full, at + 1, words - 1));
      return words;
    }
    System.arraycopy(full, at, small, size, words);
    return words;
  }

  private int slot(int at, int words) {
    long first = full[at + 1];
    long hash = words;
    for (int i = at + 2; i < at + words; i++) {
      hash = hash * 0x9E3779B97F4A7C15L + full[i] - first;
    }
    return (int) ((hash ^ hash >>> 29) * 0x9E3779B97F4A7C15L >>> 64 - 12);
  }

  private boolean isAlike(int at, int words, int list) {
    if (Payload.length(small, list) != words) {
      return false;
    }
    long apart = full[at + 1] - small[list + 1];
    for (int i = 2; i < words; i++) {
      if (full[at + i] - small[list + i] != apart) {
        return false;
      }
    }
    return true;
  }
}
