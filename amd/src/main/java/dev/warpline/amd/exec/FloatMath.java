package dev.warpline.amd.exec;

/**
 * Floating-point functions of one lane that Java does not have, on bit patterns where NaNs and
 * signs matter.
 */
final class FloatMath {
  private static final long F64_INFINITY = 0x7ff0000000000000L;
  private static final long F64_QUIET = 1L << 51;

  private FloatMath() {}

  static boolean isNan(int bits) {
    return (bits & 0x7fffffff) > 0x7f800000;
  }

  static boolean isNan(long bits) {
    return (bits & Long.MAX_VALUE) > F64_INFINITY;
  }

  static boolean isNanHalf(int bits) {
    return (bits & 0x7fff) > 0x7c00;
  }

  private static boolean isSignalling(int bits) {
    return isNan(bits) && (bits & 0x400000) == 0;
  }

  private static boolean isSignalling(long bits) {
    return isNan(bits) && (bits & F64_QUIET) == 0;
  }

  // Minimum and maximum in IEEE mode: a signalling NaN is returned quieted, a quiet NaN loses to a
  // number, -0 < +0.

  static int min(int a, int b) {
    if (isNan(a) || isNan(b)) {
      return select(a, b);
    }
    return Float.floatToRawIntBits(Math.min(Float.intBitsToFloat(a), Float.intBitsToFloat(b)));
  }

  static int max(int a, int b) {
    if (isNan(a) || isNan(b)) {
      return select(a, b);
    }
    return Float.floatToRawIntBits(Math.max(Float.intBitsToFloat(a), Float.intBitsToFloat(b)));
  }

  private static int select(int a, int b) {
    return isSignalling(a) ? a | 0x400000 : isSignalling(b) ? b | 0x400000 : isNan(a) ? b : a;
  }

  static long min(long a, long b) {
    if (isNan(a) || isNan(b)) {
      return select(a, b);
    }
    return Double.doubleToRawLongBits(
        Math.min(Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
  }

  static long max(long a, long b) {
    if (isNan(a) || isNan(b)) {
      return select(a, b);
    }
    return Double.doubleToRawLongBits(
        Math.max(Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
  }

  private static long select(long a, long b) {
    return isSignalling(a) ? a | F64_QUIET : isSignalling(b) ? b | F64_QUIET : isNan(a) ? b : a;
  }

  static int minHalf(int a, int b) {
    if (isNanHalf(a) || isNanHalf(b)) {
      return selectHalf(a, b);
    }
    return Half.fromFloat(Math.min(Half.toFloat(a), Half.toFloat(b)));
  }

  static int maxHalf(int a, int b) {
    if (isNanHalf(a) || isNanHalf(b)) {
      return selectHalf(a, b);
    }
    return Half.fromFloat(Math.max(Half.toFloat(a), Half.toFloat(b)));
  }

  private static int selectHalf(int a, int b) {
    boolean signallingA = isNanHalf(a) && (a & 0x200) == 0;
    boolean signallingB = isNanHalf(b) && (b & 0x200) == 0;
    int chosen = signallingA ? a | 0x200 : signallingB ? b | 0x200 : isNanHalf(a) ? b : a;
    return chosen & 0xffff;
  }

  /** The middle one; with a NaN among the operands, their minimum. */
  static int med3(int a, int b, int c) {
    if (isNan(a) || isNan(b) || isNan(c)) {
      return min(min(a, b), c);
    }
    return max(min(a, b), min(max(a, b), c));
  }

  static int med3Half(int a, int b, int c) {
    if (isNanHalf(a) || isNanHalf(b) || isNanHalf(c)) {
      return minHalf(minHalf(a, b), c);
    }
    return maxHalf(minHalf(a, b), minHalf(maxHalf(a, b), c));
  }

  // Class bits: 0 sNaN, 1 qNaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal,
  // 9 +inf.

  static int classOf(int bits) {
    return classOf(bits < 0, bits >>> 23 & 0xff, 0xff, bits & 0x7fffff, 22);
  }

  static int classOf(long bits) {
    return classOf(bits < 0, (int) (bits >>> 52) & 0x7ff, 0x7ff, bits & (1L << 52) - 1, 51);
  }

  static int classOfHalf(int bits) {
    return classOf((bits & 0x8000) != 0, bits >>> 10 & 31, 31, bits & 0x3ff, 9);
  }

  private static int classOf(
      boolean negative, int exponent, int maximum, long mantissa, int quietBit) {
    if (exponent == maximum && mantissa != 0) {
      return (mantissa >>> quietBit & 1) == 0 ? 1 : 2;
    }
    int distance = exponent == maximum ? 3 : exponent != 0 ? 2 : mantissa != 0 ? 1 : 0;
    return 1 << (negative ? 5 - distance : 6 + distance);
  }

  static float fract(float x) {
    return Math.min((float) (x - Math.floor(x)), 0x1.fffffep-1f);
  }

  static double fract(double x) {
    return Math.min(x - Math.floor(x), 0x1.fffffffffffffp-1);
  }

  /** Exponent for a mantissa in [0.5, 1); 0 for zero, infinity and NaN. */
  static int frexpExponent(double x) {
    if (x == 0 || x != x || Double.isInfinite(x)) {
      return 0;
    }
    int e = Math.getExponent(x);
    return e >= Double.MIN_EXPONENT ? e + 1 : Math.getExponent(x * 0x1p54) - 53;
  }

  static double frexpMantissa(double x) {
    if (x == 0 || x != x || Double.isInfinite(x)) {
      return x;
    }
    int e = frexpExponent(x);
    return e < -1000 ? Math.scalb(x * 0x1p54, -e - 54) : Math.scalb(x, -e);
  }

  // Division: q = n / d as v_div_scale (twice), reciprocal and refinement, v_div_fmas, v_div_fixup.

  private static int exponent(float x) {
    return Float.floatToRawIntBits(x) >>> 23 & 0xff;
  }

  private static int exponent(double x) {
    return (int) (Double.doubleToRawLongBits(x) >>> 52) & 0x7ff;
  }

  private static boolean isDenormal(float x) {
    return x != 0 && Math.abs(x) < Float.MIN_NORMAL;
  }

  private static boolean isDenormal(double x) {
    return x != 0 && Math.abs(x) < Double.MIN_NORMAL;
  }

  /** Whether the quotient has to be scaled back by v_div_fmas: it is near overflow or denormal. */
  static boolean divScaleCondition(float d, float n) {
    if (n == 0 || d == 0) {
      return false;
    }
    return exponent(n) - exponent(d) >= 96 || !isDenormal(d) && isDenormal(n / d);
  }

  /**
   * {@code x}, which is the numerator or the denominator, scaled so that the refinement neither
   * overflows nor loses bits to denormals. Where {@link #divScaleCondition} holds, numerator and
   * denominator are scaled differently.
   */
  static float divScale(float x, float d, float n) {
    if (n == 0 || d == 0) {
      return Float.NaN;
    }
    boolean isDenominator = Float.floatToRawIntBits(x) == Float.floatToRawIntBits(d);
    if (exponent(n) - exponent(d) >= 96) {
      return isDenominator ? x * 0x1p64f : x;
    }
    if (isDenormal(d)) {
      return x * 0x1p64f;
    }
    boolean tinyReciprocal = isDenormal(1 / d);
    boolean tinyQuotient = isDenormal(n / d);
    if (tinyReciprocal && tinyQuotient) {
      return isDenominator ? x * 0x1p-64f : x;
    }
    if (tinyReciprocal) {
      return x * 0x1p-64f;
    }
    if (tinyQuotient) {
      return Float.floatToRawIntBits(x) == Float.floatToRawIntBits(n) ? x * 0x1p64f : x;
    }
    return exponent(n) <= 23 ? x * 0x1p64f : x;
  }

  static boolean divScaleCondition(double d, double n) {
    if (n == 0 || d == 0) {
      return false;
    }
    return exponent(n) - exponent(d) >= 768 || !isDenormal(d) && isDenormal(n / d);
  }

  static double divScale(double x, double d, double n) {
    if (n == 0 || d == 0) {
      return Double.NaN;
    }
    boolean isDenominator = Double.doubleToRawLongBits(x) == Double.doubleToRawLongBits(d);
    if (exponent(n) - exponent(d) >= 768) {
      return isDenominator ? x * 0x1p128 : x;
    }
    if (isDenormal(d)) {
      return x * 0x1p128;
    }
    boolean tinyReciprocal = isDenormal(1 / d);
    boolean tinyQuotient = isDenormal(n / d);
    if (tinyReciprocal && tinyQuotient) {
      return isDenominator ? x * 0x1p-128 : x;
    }
    if (tinyReciprocal) {
      return x * 0x1p-128;
    }
    if (tinyQuotient) {
      return Double.doubleToRawLongBits(x) == Double.doubleToRawLongBits(n) ? x * 0x1p128 : x;
    }
    return exponent(n) <= 53 ? x * 0x1p128 : x;
  }

  /** The last step of the refinement, undoing the scale of the quotient; rounded once. */
  static float divFmas(float a, float b, float c, boolean scaled) {
    float q = Math.fma(a, b, c);
    if (!scaled || q == 0 || q != q || Float.isInfinite(q)) {
      return q;
    }
    if (exponent(c) > 127) {
      return q * 0x1p64f;
    }
    float result = q * 0x1p-64f;
    return isDenormal(result) ? denormal(a, b, c) : result;
  }

  /** (a * b + c) * 2^-64 as a denormal, rounded once. */
  private static float denormal(float a, float b, float c) {
    double product = (double) a * b; // exact
    double sum = product + c;
    double back = sum - product;
    double error = product - (sum - back) + (c - back);
    double units = sum * 0x1p85; // of 2^-149 after scaling
    double rounded = Math.rint(units);
    if (Math.abs(units - rounded) == 0.5 && error != 0) {
      rounded = units + Math.copySign(0.5, error); // no tie: the error decides
    }
    return (float) (rounded * 0x1p-149);
  }

  static double divFmas(double a, double b, double c, boolean scaled) {
    double q = Math.fma(a, b, c);
    if (!scaled || q == 0 || q != q || Double.isInfinite(q)) {
      return q;
    }
    if (exponent(c) > 1023) {
      return q * 0x1p128;
    }
    double result = q * 0x1p-128;
    return isDenormal(result) ? Rounding.denormalFma(a, b, c) : result;
  }

  /** Puts in the special cases and the sign; {@code q} is the refined quotient. */
  static int divFixup(int q, int d, int n) {
    int sign = (d ^ n) & 0x80000000;
    float denominator = Float.intBitsToFloat(d);
    float numerator = Float.intBitsToFloat(n);
    if (isNan(n)) {
      return n | 0x400000;
    }
    if (isNan(d)) {
      return d | 0x400000;
    }
    boolean infiniteD = Float.isInfinite(denominator);
    boolean infiniteN = Float.isInfinite(numerator);
    if (denominator == 0 && numerator == 0 || infiniteD && infiniteN) {
      return 0xffc00000;
    }
    if (denominator == 0 || infiniteN) {
      return sign | 0x7f800000;
    }
    if (infiniteD || numerator == 0) {
      return sign;
    }
    if (exponent(numerator) - exponent(denominator) < -150) {
      return sign; // underflow
    }
    if ((q & 0x7f800000) == 0x7f800000) {
      return sign | 0x7f800000; // overflow: the refinement has run into infinity
    }
    return sign | q & 0x7fffffff;
  }

  static long divFixup(long q, long d, long n) {
    long sign = (d ^ n) & Long.MIN_VALUE;
    double denominator = Double.longBitsToDouble(d);
    double numerator = Double.longBitsToDouble(n);
    if (isNan(n)) {
      return n | F64_QUIET;
    }
    if (isNan(d)) {
      return d | F64_QUIET;
    }
    boolean infiniteD = Double.isInfinite(denominator);
    boolean infiniteN = Double.isInfinite(numerator);
    if (denominator == 0 && numerator == 0 || infiniteD && infiniteN) {
      return 0xfff8000000000000L;
    }
    if (denominator == 0 || infiniteN) {
      return sign | F64_INFINITY;
    }
    if (infiniteD || numerator == 0) {
      return sign;
    }
    if (exponent(numerator) - exponent(denominator) < -1075) {
      return sign;
    }
    if ((q & F64_INFINITY) == F64_INFINITY) {
      return sign | F64_INFINITY;
    }
    return sign | q & Long.MAX_VALUE;
  }

  static int divFixupHalf(int q, int d, int n) {
    int sign = (d ^ n) & 0x8000;
    if (isNanHalf(n)) {
      return (n | 0x200) & 0xffff;
    }
    if (isNanHalf(d)) {
      return (d | 0x200) & 0xffff;
    }
    boolean zeroD = (d & 0x7fff) == 0;
    boolean zeroN = (n & 0x7fff) == 0;
    boolean infiniteD = (d & 0x7fff) == 0x7c00;
    boolean infiniteN = (n & 0x7fff) == 0x7c00;
    if (zeroD && zeroN || infiniteD && infiniteN) {
      return 0xfe00;
    }
    if (zeroD || infiniteN) {
      return sign | 0x7c00;
    }
    return infiniteD || zeroN ? sign : sign | q & 0x7fff;
  }
}
