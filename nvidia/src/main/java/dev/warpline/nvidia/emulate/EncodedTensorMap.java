package dev.warpline.nvidia.emulate;

/**
 * A tensor map as the driver encodes it: 64 bytes that say where a tensor lies and which boxes are
 * cut out of it.
 *
 * @param base address of element (0, 0, ...)
 * @param type of an element
 * @param dims extent of each dimension, innermost first
 * @param strides bytes between neighbours in each dimension
 * @param box elements of a box in each dimension, before element strides; of an im2col map only the
 *     first: channels
 * @param steps between the elements taken in each dimension
 * @param swizzle bytes after which the pattern of 16-byte chunks repeats, 0 for none
 * @param fill what elements outside are made of, 16 bits
 * @param rounded whether loads round to TF32
 * @param lower first pixel of an im2col map in each of its inner dimensions, or null
 * @param upper where its last pixel is, counted from the last of the tensor
 * @param pixels of an im2col map's box
 */
record EncodedTensorMap(
    long base,
    Element type,
    long[] dims,
    long[] strides,
    int[] box,
    int[] steps,
    int swizzle,
    int fill,
    boolean rounded,
    int[] lower,
    int[] upper,
    int pixels) {
  /** Bytes of a tensor map that say something; as many follow for the driver. */
  static final int BYTES = 64;

  private static final int NAN = 0x7ff7;

  /** Types of elements, in the order of their codes. */
  enum Element {
    U8(1),
    U16(2),
    U32(4),
    S32(4),
    U64(8),
    S64(8),
    F16(2),
    F32(4),
    F32_FTZ(4),
    F64(8),
    BF16(2);

    final int bytes;

    Element(int bytes) {
      this.bytes = bytes;
    }
  }

  /** Reads a tensor map. */
  static EncodedTensorMap decode(byte[] object) {
    int flags = Bytes.word(object, 8);
    int rank = (flags >>> 4 & 7) + 1;
    int code = flags >>> 7 & 15;
    int interleave = flags >>> 11 & 3;
    if (rank > 5 || code >= Element.values().length) {
      throw new AddressFault(
          String.format("names a tensor map that begins with 0x%08x, which is none", flags));
    }
    if (interleave != 0) {
      throw new AddressFault("names an interleaved tensor, which is not emulated");
    }
    int swizzle = flags >>> 13 & 3;
    Element type = Element.values()[code];
    boolean pixels = (flags & 1) != 0;
    long[] dims = new long[rank];
    long[] strides = new long[rank];
    int[] box = new int[rank];
    int[] steps = new int[rank];
    long high = Words64.unsigned(Bytes.word(object, 28));
    int sizes = Bytes.word(object, 52);
    for (int d = 0; d < rank; d++) {
      dims[d] = Words64.unsigned(Bytes.word(object, 32 + 4 * d)) + 1;
      steps[d] = d == 0 ? 1 : (sizes >>> 3 * d & 7) + 1;
      box[d] = (d == 0 ? sizes >>> 24 : object[55 + d] & 0xff) + 1;
      strides[d] =
          d == 0
              ? type.bytes
              : (Words64.unsigned(Bytes.word(object, 8 + 4 * d))
                      | (high >>> 4 * (d - 1) & 15) << 32)
                  << 4;
    }
    return new EncodedTensorMap(
        Words64.join(Bytes.word(object, 0), Bytes.word(object, 4)),
        type,
        dims,
        strides,
        box,
        steps,
        swizzle == 0 ? 0 : 16 << swizzle,
        (flags & 0x8000) != 0 ? NAN : 0,
        (flags & 0x10000) != 0,
        pixels ? corner(object, rank - 2, 0) : null,
        pixels ? corner(object, rank - 2, 1) : null,
        (Bytes.word(object, 60) & 0x3ff) + 1);
  }

  /** A corner of an im2col map's bounding box: 16, 8 or 5 bits for 1, 2 or 3 dimensions. */
  private static int[] corner(byte[] object, int count, int which) {
    int bits = bits(count);
    int word = Bytes.word(object, 56);
    int[] corner = new int[count];
    for (int d = 0; d < count; d++) {
      int at = bits * (which * count + d);
      corner[d] = word << 32 - bits - at >> 32 - bits;
    }
    return corner;
  }

  /** Bits of each offset of an im2col map with so many inner dimensions. */
  static int bits(int count) {
    return count == 1 ? 16 : count == 2 ? 8 : 5;
  }

  int rank() {
    return dims.length;
  }

  boolean isIm2col() {
    return lower != null;
  }

  /** Rows of a box. */
  int rows() {
    if (isIm2col()) {
      return pixels;
    }
    int rows = 1;
    for (int d = 1; d < rank(); d++) {
      rows *= (box[d] + steps[d] - 1) / steps[d];
    }
    return rows;
  }

  /** Bytes of a row of a box. */
  int rowBytes() {
    return box[0] * type.bytes;
  }

  /** Bytes from one row to the next in shared memory. */
  int pitch() {
    return Math.max(rowBytes(), swizzle);
  }

  /** Where a byte of shared memory lies once its 16-byte chunks are swizzled. */
  int swizzled(int address) {
    // 32, 64, 128 bytes: one, two, three bits of the chunk's number.
    return swizzle == 0 ? address : address ^ (address >>> 7 << 4 & swizzle - 1 & ~15);
  }
}
