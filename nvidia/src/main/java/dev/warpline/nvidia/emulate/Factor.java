package dev.warpline.nvidia.emulate;

/** Types of the numbers that tensor cores multiply. */
enum Factor {
  F16(16, 5, 10),
  BF16(16, 8, 7),
  TF32(32, 8, 10),
  E4M3(8, 4, 3),
  E5M2(8, 5, 2);

  /** The exponent of zero: lower than that of any product. */
  static final int NOTHING = -10_000;

  /** Bits of an element in registers and memory. */
  final int bits;

  private final int mantissa;
  private final int bias;
  private final int top;
  private final int unused;

  /** Whether the largest exponent is one of numbers, but for a single NaN. */
  private final boolean withoutInfinity;

  private final double[] values;
  private final short[] exponents;

  Factor(int bits, int exponent, int mantissa) {
    this.bits = bits;
    this.mantissa = mantissa;
    bias = (1 << exponent - 1) - 1;
    top = (1 << exponent) - 1;
    withoutInfinity = exponent == 4;
    unused = bits - 1 - exponent - mantissa;
    int count = bits > 16 ? 0 : 1 << bits;
    values = new double[count];
    exponents = new short[count];
    for (int i = 0; i < count; i++) {
      values[i] = decode(i);
      exponents[i] = (short) decodeExponent(i);
    }
  }

  /** The value of an element; exact. */
  double value(int element) {
    return bits > 16 ? decode(element >>> unused) : values[element];
  }

  /**
   * The exponent that alignment goes by: that of the first digit's place, which subnormal numbers
   * do not fill.
   */
  int exponent(int element) {
    return bits > 16 ? decodeExponent(element >>> unused) : exponents[element];
  }

  private double decode(int number) {
    int exponent = number >>> mantissa & top;
    int digits = number & (1 << mantissa) - 1;
    boolean negative = (number >>> mantissa) > top;
    double value;
    if (withoutInfinity && exponent == top && digits == 7) {
      value = Double.NaN;
    } else if (!withoutInfinity && exponent == top) {
      value = digits == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
    } else {
      int whole = exponent == 0 ? digits : digits | 1 << mantissa;
      value = Math.scalb((double) whole, Math.max(1, exponent) - bias - mantissa);
    }
    return negative ? -value : value;
  }

  private int decodeExponent(int number) {
    int exponent = number >>> mantissa & top;
    boolean zero = exponent == 0 && (number & (1 << mantissa) - 1) == 0;
    return zero ? NOTHING : Math.max(1, exponent) - bias;
  }
}
