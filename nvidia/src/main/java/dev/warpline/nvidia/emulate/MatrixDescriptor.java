package dev.warpline.nvidia.emulate;

/**
 * Where an operand of a warpgroup product lies in shared memory: start, two distances and a
 * swizzle, all in one 64-bit word. Operands are made of core matrices, eight rows of 16 bytes, or
 * of as many bytes as the swizzle spans.
 */
final class MatrixDescriptor {
  private static final int WINDOW = 0x3ffff;
  private static final int CHUNK = 16;

  private final int start;
  private final int leading;
  private final int stride;

  /** Bytes of a row within eight: 16 without swizzle, else 32, 64 or 128. */
  private final int span;

  private final int shift;

  MatrixDescriptor(long word) {
    start = (int) word << 4 & WINDOW;
    leading = (int) (word >>> 16) << 4 & WINDOW;
    stride = (int) (word >>> 32) << 4 & WINDOW;
    int base = (int) (word >>> 49) & 7;
    // The pattern of a swizzle begins at multiples of its size, unless it is said otherwise.
    shift = base << 7;
    span =
        switch ((int) (word >>> 62)) {
          case 0 -> 16;
          case 1 -> 128;
          case 2 -> 64;
          default -> 32;
        };
  }

  /**
   * Reads elements, 16 bytes at a time: those lie together.
   *
   * @param first row of the left or column of the right operand, a multiple of eight
   * @param count rows or columns
   * @param transposed whether rows rather than the depth lie together
   * @param into row after row
   */
  void read(
      BlockMemory shared,
      int first,
      int count,
      int depth,
      int bits,
      boolean transposed,
      int[] into) {
    int perChunk = CHUNK * 8 / bits;
    if (!transposed) {
      for (int i = 0; i < count; i++) {
        int row = first + i;
        int at = start + (row >> 3) * stride + (row & 7) * span;
        for (int k = 0; k < depth; k += perChunk) {
          int chunk = k / perChunk;
          int address = swizzled(at + chunk * (span == CHUNK ? leading : CHUNK) & WINDOW);
          chunk(shared, address, bits, Math.min(perChunk, depth - k), into, i * depth + k, 1);
        }
      }
      return;
    }
    for (int k = 0; k < depth; k++) {
      for (int i = 0; i < count; i += perChunk) {
        int inner = (first + i) * bits >> 3;
        int outer = inner / span;
        int at = start + (k & 7) * span + inner % span;
        at +=
            span == CHUNK
                ? outer * stride + (k >> 3) * leading
                : outer * leading + (k >> 3) * stride;
        int address = swizzled(at & WINDOW);
        chunk(shared, address, bits, Math.min(perChunk, count - i), into, i * depth + k, depth);
      }
    }
  }

  /** Elements that lie together, to places that lie a step apart. */
  private static void chunk(
      BlockMemory shared, int address, int bits, int count, int[] into, int to, int step) {
    byte[] content = shared.at(address, Math.max(1, count * bits >> 3));
    switch (bits) {
      case 32 -> {
        for (int i = 0; i < count; i++) {
          into[to + i * step] = Bytes.word(content, address + 4 * i);
        }
      }
      case 16 -> {
        for (int i = 0; i < count; i++) {
          int at = address + 2 * i;
          into[to + i * step] = content[at] & 0xff | (content[at + 1] & 0xff) << 8;
        }
      }
      case 8 -> {
        for (int i = 0; i < count; i++) {
          into[to + i * step] = content[address + i] & 0xff;
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          into[to + i * step] = content[address + (i >> 3)] >>> (i & 7) & 1;
        }
      }
    }
  }

  private int swizzled(int address) {
    return span == 16 ? address : address ^ ((address - shift) >>> 7 << 4 & span - 1 & ~15);
  }
}
