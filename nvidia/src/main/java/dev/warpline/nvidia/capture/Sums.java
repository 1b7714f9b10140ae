package dev.warpline.nvidia.capture;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Sums of pages, as the recorder computes them on the GPU: each word counts with its place. */
final class Sums {
  /** Bytes of a page. */
  static final int PAGE = 1 << 16;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long STEP = 0x9E3779B97F4A7C15L;

  private Sums() {}

  private static long mix(long z) {
    long a = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ a >>> 27) * 0x94D049BB133111EBL;
    return b ^ b >>> 31;
  }

  /**
   * Sum of the bytes from a place of an allocation on.
   *
   * @param offset of the first byte in the allocation, a multiple of four
   */
  static long of(byte[] content, int bytes, long offset) {
    long sum = 0;
    long place = (offset / 4 + 1) * STEP;
    int at = 0;
    for (; at + 4 <= bytes; at += 4) {
      sum += mix(((int) WORDS.get(content, at) & 0xffffffffL) + place);
      place += STEP;
    }
    if (at < bytes) {
      long word = 0;
      for (int i = 0; at + i < bytes; i++) {
        word |= (content[at + i] & 0xffL) << 8 * i;
      }
      sum += mix(word + place);
    }
    return sum;
  }
}
