package dev.warpline.nvidia.emulate;

import java.util.Arrays;

/**
 * Sums of products as the tensor cores of an H200 make them (docs/hardware/h200, products): all
 * terms, the accumulator among them, are aligned to the largest exponent, lose what lies more than
 * 25 bits (13 for 8-bit numbers) below it, and are added exactly; the sum loses its bits beyond
 * those of the result. A result in half precision is rounded to the nearest instead.
 */
final class TensorCore {
  private static final int STEP = 8;
  private static final int SINGLE_DIGITS = 23;
  private static final int NAN_HALF = 0x7fff;

  private final Factor leftType;
  private final Factor rightType;
  private final boolean single;
  private final int rows;
  private final int columns;
  private final int depth;

  /** Bits kept below the largest exponent, and of the result. */
  private final int kept;

  private final int digits;
  private final double[] left;
  private final int[] leftExponents;
  private final double[] right;
  private final int[] rightExponents;
  private boolean special;
  private final int[] largest;
  private final int[] part;
  private final long[] sum;
  private final double[] scale;

  /**
   * @param single whether accumulators are in single precision rather than half
   */
  TensorCore(Factor left, Factor right, boolean single, int rows, int columns, int depth) {
    leftType = left;
    rightType = right;
    this.single = single;
    this.rows = rows;
    this.columns = columns;
    this.depth = depth;
    boolean narrow = left.bits == 8;
    kept = narrow ? 13 : 25;
    digits = narrow ? 13 : SINGLE_DIGITS;
    this.left = new double[rows * depth];
    leftExponents = new int[rows * depth];
    this.right = new double[depth * columns];
    rightExponents = new int[depth * columns];
    largest = new int[columns];
    part = new int[columns];
    sum = new long[columns];
    scale = new double[columns];
  }

  /** New factors come. */
  void begin() {
    special = false;
  }

  /** Sets an element of the left factor. */
  void left(int row, int k, int element, boolean negated) {
    int at = row * depth + k;
    double value = leftType.value(element);
    left[at] = negated ? -value : value;
    leftExponents[at] = leftType.exponent(element);
    special |= Double.isNaN(value - value);
  }

  /** Sets an element of the right factor. */
  void right(int column, int k, int element, boolean negated) {
    int at = k * columns + column;
    double value = rightType.value(element);
    right[at] = negated ? -value : value;
    rightExponents[at] = rightType.exponent(element);
    special |= Double.isNaN(value - value);
  }

  /**
   * Adds the products of a row of the left factor to accumulators.
   *
   * @param bits the accumulators of the row, replaced by the results
   */
  void multiply(int row, int[] bits) {
    int at = row * depth;
    Arrays.fill(largest, Factor.NOTHING);
    for (int n = 0; n < columns; n++) {
      if (single ? (bits[n] << 1) != 0 : (bits[n] & 0x7fff) != 0) {
        largest[n] = exponent(bits[n]);
      }
    }
    for (int k = 0; k < depth; k++) {
      int exponent = leftExponents[at + k];
      if (exponent != Factor.NOTHING) {
        raise(exponent, k * columns);
      }
    }
    for (int n = 0; n < columns; n++) {
      scale[n] = power(kept - largest[n]);
      sum[n] = (long) (value(bits[n]) * scale[n]);
    }
    for (int from = 0; from < depth; from += STEP) {
      Arrays.fill(part, 0);
      for (int k = from; k < Math.min(depth, from + STEP); k++) {
        if (left[at + k] != 0) {
          add(left[at + k], k * columns);
        }
      }
      for (int n = 0; n < columns; n++) {
        sum[n] += part[n];
      }
    }
    for (int n = 0; n < columns; n++) {
      boolean odd = special || !Double.isFinite(value(bits[n]));
      bits[n] =
          odd
              ? sumOfSpecial(at, n, bits[n])
              : single ? single(sum[n], largest[n] - kept) : half(sum[n], largest[n] - kept);
    }
  }

  private void raise(int exponent, int from) {
    for (int n = 0; n < columns; n++) {
      largest[n] = Math.max(largest[n], exponent + rightExponents[from + n]);
    }
  }

  private void add(double factor, int from) {
    for (int n = 0; n < columns; n++) {
      part[n] += (int) (factor * right[from + n] * scale[n]);
    }
  }

  private static double power(int exponent) {
    return Double.longBitsToDouble((long) (Math.min(exponent, 1000) + 1023) << 52);
  }

  private int exponent(int bits) {
    return single ? Math.max(1, bits >>> 23 & 0xff) - 127 : Math.max(1, bits >>> 10 & 0x1f) - 15;
  }

  private double value(int bits) {
    return single ? Float.intBitsToFloat(bits) : Real.fromHalf(bits & 0xffff);
  }

  /** Where infinities or what is no number take part: what is left depends on the rest alone. */
  private int sumOfSpecial(int at, int n, int bits) {
    double all = value(bits);
    boolean finite = Double.isFinite(all);
    for (int k = 0; k < depth; k++) {
      double product = left[at + k] * right[k * columns + n];
      all += product;
      finite &= Double.isFinite(product);
    }
    if (finite) {
      return single ? single(sum[n], largest[n] - kept) : half(sum[n], largest[n] - kept);
    }
    if (Double.isNaN(all)) {
      return single ? Real.NAN : NAN_HALF;
    }
    boolean negative = all < 0;
    return single
        ? Float.floatToRawIntBits(negative ? Float.NEGATIVE_INFINITY : Float.POSITIVE_INFINITY)
        : negative ? 0xfc00 : 0x7c00;
  }

  /** A sum in units of a power of two, without the bits that single precision has no place for. */
  private int single(long sum, int unit) {
    if (sum == 0) {
      return 0;
    }
    int sign = sum < 0 ? Integer.MIN_VALUE : 0;
    long magnitude = Math.abs(sum);
    int exponent = 63 - Long.numberOfLeadingZeros(magnitude) + unit;
    if (exponent > Float.MAX_EXPONENT) {
      return sign | 0x7f800000;
    }
    int last = Math.max(exponent, Float.MIN_EXPONENT) - digits;
    int drop = last - unit;
    long mantissa =
        (drop > 63 ? 0 : drop > 0 ? magnitude >>> drop : magnitude << -drop)
            << SINGLE_DIGITS - digits;
    if (mantissa == 0) {
      return 0;
    }
    // The leading digit of a normal number raises its exponent by one.
    int biased = Math.max(exponent, Float.MIN_EXPONENT) + 126;
    return sign | (int) (((long) biased << SINGLE_DIGITS) + mantissa);
  }

  private static int half(long sum, int unit) {
    int bits = sum == 0 ? 0 : Real.toHalf(Math.scalb((double) sum, unit));
    return bits == 0x8000 ? 0 : bits;
  }
}
