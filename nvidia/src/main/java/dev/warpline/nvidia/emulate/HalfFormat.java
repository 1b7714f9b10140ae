package dev.warpline.nvidia.emulate;

/** The two kinds of 16-bit floating-point numbers. */
enum HalfFormat {
  /** IEEE 754 half precision. */
  HALF(10, 15),

  /** The upper half of a single-precision number. */
  BFLOAT(7, 127);

  /** What any operation gives that has no number for a result. */
  static final int NAN = 0x7fff;

  private final int mantissaBits;
  private final int bias;

  HalfFormat(int mantissaBits, int bias) {
    this.mantissaBits = mantissaBits;
    this.bias = bias;
  }

  /** The kind that an instruction computes with. */
  static HalfFormat of(SassInstruction instruction) {
    return instruction.has("BF16") || instruction.has("BF16_V2") ? BFLOAT : HALF;
  }

  /** The number of the lower 16 bits of a word. */
  float value(int bits) {
    return this == HALF ? Real.fromHalf(bits & 0xffff) : Real.fromBfloat(bits & 0xffff);
  }

  /** The nearest number. */
  int nearest(double value) {
    long bits = Double.doubleToRawLongBits(value);
    int exponent = (int) (bits >>> 52 & 0x7ff) - 1023;
    if (exponent <= -bias || exponent > bias) {
      return rounded(value, Real.Rounding.NEAREST);
    }
    // Half of the last digit, less what makes ties go to the even number; a carry is right.
    int dropped = 52 - mantissaBits;
    long digits = bits & (1L << 52) - 1;
    digits += (1L << dropped - 1) - 1 + (digits >>> dropped & 1);
    return (int) (bits >>> 48 & 0x8000)
        | (exponent + bias << mantissaBits) + (int) (digits >>> dropped);
  }

  int rounded(double value, Real.Rounding rounding) {
    return Real.toSmall(value, mantissaBits, bias, rounding);
  }

  /** The number towards zero of a float, or infinity where there is none as large. */
  int truncated(int bits) {
    float value = Float.intBitsToFloat(bits);
    boolean large = Math.getExponent(value) > bias;
    return rounded(value, large ? Real.Rounding.NEAREST : Real.Rounding.ZERO);
  }

  /** Whether a result would be subnormal when rounded to the digits of a normal number. */
  boolean tiny(double exact) {
    double scaled = Math.abs(exact) * (1 << mantissaBits);
    return (nearest(scaled) & 0x7fff) < 1 + mantissaBits << mantissaBits;
  }

  /** What becomes of a double that is no number: its first digits, made quiet. */
  int nan(long bits) {
    long kept = bits >>> 52 - mantissaBits & (1L << mantissaBits) - 1;
    int quiet = 2 * bias + 1 << mantissaBits | 1 << mantissaBits - 1;
    return (bits < 0 ? 0x8000 : 0) | quiet | (int) kept;
  }

  /** A subnormal number becomes zero. */
  int flush(int bits) {
    return (bits & 0x7fff) < 1 << mantissaBits ? bits & 0x8000 : bits;
  }
}
