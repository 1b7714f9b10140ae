package dev.warpline.nvidia.hopper;

import java.util.function.LongConsumer;

/**
 * A tensor in global memory as the copy engine sees it, and the boxes it cuts out of it.
 *
 * @param base address of element (0, 0, ...)
 * @param elementBytes size of an element
 * @param dims extent of each dimension, innermost first, 1 to 5 of them
 * @param strides bytes between neighbours in each dimension; the innermost is the element size
 * @param box elements of a box in each dimension, before element strides
 * @param elementStrides step between elements taken in each dimension
 */
public record TensorMap(
    long base, int elementBytes, long[] dims, long[] strides, int[] box, int[] elementStrides) {
  private static final int SECTOR = 32;
  private static final int MOST_DIMENSIONS = 5;
  private static final int LARGEST_BOX = 256;

  public TensorMap {
    int n = dims.length;
    if (n < 1 || n > MOST_DIMENSIONS) {
      throw new IllegalArgumentException("a tensor map has 1 to 5 dimensions, found " + n);
    }
    if (strides.length != n || box.length != n || elementStrides.length != n) {
      throw new IllegalArgumentException(
          "strides, box and element strides need one entry for each of " + n + " dimensions");
    }
    if (strides[0] != elementBytes) {
      throw new IllegalArgumentException(
          "the innermost stride is the element size, found " + strides[0]);
    }
    for (int d = 0; d < n; d++) {
      if (box[d] < 1 || box[d] > LARGEST_BOX) {
        throw new IllegalArgumentException(
            "box extent " + box[d] + " in dimension " + d + ", expected 1 to 256");
      }
      if (d > 0 && strides[d] % 16 != 0) {
        throw new IllegalArgumentException(
            "stride " + strides[d] + " in dimension " + d + " is not a multiple of 16 bytes");
      }
      if (elementStrides[d] < 1 || elementStrides[d] > 8) {
        throw new IllegalArgumentException(
            "element stride " + elementStrides[d] + " in dimension " + d + ", expected 1 to 8");
      }
    }
  }

  /** Elements of a box in a dimension once the element stride is applied. */
  private int taken(int d) {
    return (box[d] + elementStrides[d] - 1) / elementStrides[d];
  }

  /** Bytes that a box brings into shared memory, out-of-bounds elements included. */
  public long boxBytes() {
    long count = elementBytes;
    for (int d = 0; d < dims.length; d++) {
      count *= taken(d);
    }
    return count;
  }

  /**
   * Walks the 32-byte sectors that a box touches, each once per row, in the order of its rows.
   *
   * @param origin coordinates of the box's first element; may be negative or past the end
   * @param sector receives the address of each sector
   * @return bytes of the box that lie outside the tensor, which are filled and not read
   */
  public long sectors(int[] origin, LongConsumer sector) {
    if (origin.length != dims.length) {
      throw new IllegalArgumentException(
          "a box of this map has " + dims.length + " coordinates, found " + origin.length);
    }
    return rows(origin, dims.length - 1, base, true, sector);
  }

  private long rows(int[] origin, int d, long at, boolean inside, LongConsumer sector) {
    if (d == 0) {
      return row(origin[0], at, inside, sector);
    }
    long outside = 0;
    for (int i = 0; i < taken(d); i++) {
      long c = origin[d] + (long) i * elementStrides[d];
      boolean in = inside && c >= 0 && c < dims[d];
      outside += rows(origin, d - 1, at + c * strides[d], in, sector);
    }
    return outside;
  }

  private long row(int from, long at, boolean inside, LongConsumer sector) {
    long outside = 0;
    long last = -1;
    for (int i = 0; i < taken(0); i++) {
      long c = from + (long) i * elementStrides[0];
      if (!inside || c < 0 || c >= dims[0]) {
        outside += elementBytes;
        continue;
      }
      long address = at + c * elementBytes;
      for (long s = address / SECTOR; s <= (address + elementBytes - 1) / SECTOR; s++) {
        if (s != last) {
          sector.accept(s * SECTOR);
          last = s;
        }
      }
    }
    return outside;
  }
}
