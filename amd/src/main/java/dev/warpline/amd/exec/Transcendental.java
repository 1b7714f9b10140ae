package dev.warpline.amd.exec;

import java.math.BigInteger;

/**
 * The approximations of the vector unit. Hardware gives about 1 ulp; here the value is computed in
 * double with an error far below an f32 ulp and rounded once, so f32 and f16 results are correctly
 * rounded except in rare near-ties. Only basic double arithmetic is used: the results are the same
 * on every machine and in every compilation state of the JVM.
 */
final class Transcendental {
  private static final double LN2 = 0.6931471805599453;

  /** Taylor coefficients of e^t for |t| <= ln2/2: the first one left out adds less than 2^-56. */
  private static final double[] EXPONENTIAL = taylor(13, 1, false);

  /** Of the sine of t over t, and of the cosine, in t^2, for |t| <= pi/4. */
  private static final double[] SINE = taylor(9, 2, true);

  private static final double[] COSINE = taylor(9, 2, false);

  /** Of log2((1+s)/(1-s)) over s, in s^2, for |s| <= 0.172. */
  private static final double[] ARTANH = artanh(10);

  private static double[] taylor(int degree, int step, boolean odd) {
    double[] coefficients = new double[degree + 1];
    double value = 1;
    int factor = odd ? 1 : 0;
    for (int k = 0; k <= degree; k++) {
      coefficients[degree - k] = value;
      for (int s = 0; s < step; s++) {
        value /= ++factor;
      }
      value = step == 2 ? -value : value;
    }
    return coefficients;
  }

  private static double[] artanh(int degree) {
    double[] coefficients = new double[degree + 1];
    for (int k = 0; k <= degree; k++) {
      coefficients[degree - k] = 2 / LN2 / (2 * k + 1);
    }
    return coefficients;
  }

  /** Fraction bits of 2/pi kept for v_trig_preop_f64. */
  private static final int TWO_OVER_PI_BITS = 1201;

  private static final BigInteger TWO_OVER_PI = twoOverPi();

  private Transcendental() {}

  /** Highest coefficient first. */
  private static double polynomial(double[] coefficients, double x) {
    double sum = 0;
    for (double c : coefficients) {
      sum = sum * x + c;
    }
    return sum;
  }

  /** {@code x * 2^n}; x is between 1/2 and 2. */
  private static double scale(double x, int n) {
    if (n < -1021 || n > 1022) {
      return Math.scalb(x, n);
    }
    return x * Double.longBitsToDouble((long) (n + 1023) << 52);
  }

  /** 2^x. */
  static double exp2(double x) {
    if (x != x) {
      return x;
    }
    if (x > 1100) {
      return Double.POSITIVE_INFINITY;
    }
    if (x < -1200) {
      return 0;
    }
    double n = Math.rint(x);
    double t = (x - n) * LN2;
    return scale(polynomial(EXPONENTIAL, t), (int) n);
  }

  /** log2(x). */
  static double log2(double x) {
    if (x != x || x < 0) {
      return Double.NaN;
    }
    if (x == 0) {
      return Double.NEGATIVE_INFINITY;
    }
    if (x == Double.POSITIVE_INFINITY) {
      return x;
    }
    int e = Math.getExponent(x);
    double m = Math.scalb(x, -e); // f32 and f16 inputs are normal doubles
    if (m > 1.4142135623730951) {
      m /= 2;
      e++;
    }
    // ln(m) = 2 artanh(s), |s| <= 0.172
    double s = (m - 1) / (m + 1);
    return e + s * polynomial(ARTANH, s * s);
  }

  /** sin(2 pi x): the argument counts revolutions. */
  static double sinRevolutions(double x) {
    return Double.isInfinite(x) ? Double.NaN : quarterWave(x - Math.floor(x));
  }

  /** cos(2 pi x). */
  static double cosRevolutions(double x) {
    if (Double.isInfinite(x)) {
      return Double.NaN;
    }
    double f = x - Math.floor(x);
    return quarterWave(f + 0.25 >= 1 ? f - 0.75 : f + 0.25);
  }

  /** sin(2 pi f) for f in [0, 1). */
  private static double quarterWave(double f) {
    double sign = 1;
    double g = f;
    if (g >= 0.5) {
      g -= 0.5;
      sign = -1;
    }
    if (g > 0.25) {
      g = 0.5 - g;
    }
    // g in [0, 1/4]: sine series up to 1/8, cosine series of the rest above
    boolean cosine = g > 0.125;
    double t = 2 * Math.PI * (cosine ? 0.25 - g : g);
    return sign * (cosine ? polynomial(COSINE, t * t) : t * polynomial(SINE, t * t));
  }

  /**
   * A 53-bit piece of 2/pi, number {@code segment}, aligned for the range reduction of {@code x}
   * and scaled to its place.
   */
  static double trigPreop(double x, int segment) {
    int exponent = (int) (Double.doubleToRawLongBits(x) >>> 52) & 0x7ff;
    int shift = (segment & 31) * 53;
    if (exponent > 1077) {
      shift += exponent - 1077;
    }
    // bits [1200-shift : 1148-shift] of the fraction; zeros beyond its end
    int drop = TWO_OVER_PI_BITS - 53 - shift;
    BigInteger piece = drop >= 0 ? TWO_OVER_PI.shiftRight(drop) : TWO_OVER_PI.shiftLeft(-drop);
    long bits = piece.longValue() & (1L << 53) - 1;
    int scale = -53 - shift;
    if (exponent >= 1968) {
      scale += 128;
    }
    return Math.scalb((double) bits, scale);
  }

  /** floor(2/pi * 2^1201), with pi from Machin's formula. */
  private static BigInteger twoOverPi() {
    int bits = TWO_OVER_PI_BITS + 64;
    BigInteger one = BigInteger.ONE.shiftLeft(bits);
    BigInteger pi =
        arctanOfInverse(5, one).shiftLeft(2).subtract(arctanOfInverse(239, one)).shiftLeft(2);
    return BigInteger.ONE.shiftLeft(bits + 1 + TWO_OVER_PI_BITS).divide(pi);
  }

  private static BigInteger arctanOfInverse(int n, BigInteger one) {
    BigInteger power = one.divide(BigInteger.valueOf(n));
    BigInteger square = BigInteger.valueOf((long) n * n);
    BigInteger sum = power;
    for (int k = 3; power.signum() != 0; k += 2) {
      power = power.divide(square).negate();
      sum = sum.add(power.divide(BigInteger.valueOf(k)));
    }
    return sum;
  }
}
