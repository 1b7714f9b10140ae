package dev.warpline.nvidia.emulate;

/**
 * Where an operand of a warpgroup product lies in shared memory: start, two distances and a
 * swizzle, all in one 64-bit word. Operands are made of core matrices, eight rows of 16 bytes, or
 * of as many bytes as the swizzle spans.
 */
final class MatrixDescriptor {
  private static final int WINDOW = 0x3ffff;

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
   * An element.
   *
   * @param row row of the left or column of the right operand
   * @param k its place along the depth
   * @param transposed whether rows rather than the depth lie together
   */
  int element(BlockMemory shared, int row, int k, int bits, boolean transposed) {
    int at;
    if (!transposed) {
      int inner = k * bits >> 3;
      at = (row >> 3) * stride + (row & 7) * span;
      at += span == 16 ? (inner >> 4) * leading + (inner & 15) : inner;
    } else {
      int inner = row * bits >> 3;
      int outer = inner / span;
      at = (k & 7) * span + inner % span;
      at += span == 16 ? outer * stride + (k >> 3) * leading : outer * leading + (k >> 3) * stride;
    }
    int address = swizzled(start + at & WINDOW);
    if (bits == 32) {
      return shared.word(address);
    }
    byte[] content = shared.at(address, Math.max(1, bits >> 3));
    if (bits == 16) {
      return content[address] & 0xff | (content[address + 1] & 0xff) << 8;
    }
    int octet = content[address] & 0xff;
    return bits == 8 ? octet : octet >>> (k & 7) & 1;
  }

  private int swizzled(int address) {
    return span == 16 ? address : address ^ ((address - shift) >>> 7 << 4 & span - 1 & ~15);
  }
}
