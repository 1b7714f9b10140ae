package dev.warpline.amd.exec;

/**
 * Narrow floating-point formats: f16 (IEEE binary16), bf16, and the gfx942 8-bit formats fp8 (e4m3)
 * and bf8 (e5m2), both FNUZ.
 */
public final class Half {
  private Half() {}

  static final int NAN = 0x7e00;

  /** Value of the low 16 bits as f16; exact. */
  public static float toFloat(int bits) {
    int sign = (bits & 0x8000) << 16;
    int exponent = bits >>> 10 & 31;
    int mantissa = bits & 0x3ff;
    if (exponent == 31) {
      return Float.intBitsToFloat(sign | 0x7f800000 | mantissa << 13);
    }
    if (exponent == 0) {
      float magnitude = mantissa * 0x1p-24f;
      return sign == 0 ? magnitude : -magnitude;
    }
    return Float.intBitsToFloat(sign | (exponent + 112) << 23 | mantissa << 13);
  }

  /** Nearest f16, ties to even; overflow gives infinity. */
  public static int fromDouble(double value) {
    return narrow(value, 5, 10);
  }

  static int fromFloat(float value) {
    return narrow(value, 5, 10);
  }

  /** Truncation towards zero, as v_cvt_pkrtz does: overflow gives the largest finite value. */
  static int fromFloatTowardsZero(float value) {
    int rounded = fromDouble(value);
    if (Float.isInfinite(value) || Float.isNaN(value)) {
      return rounded;
    }
    return Math.abs((double) toFloat(rounded)) > Math.abs((double) value) ? rounded - 1 : rounded;
  }

  public static float bfloatToFloat(int bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  public static int bfloatFromFloat(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (value != value) {
      return bits >>> 16 | 0x40;
    }
    return bits + 0x7fff + (bits >>> 16 & 1) >>> 16;
  }

  /**
   * Nearest value of an IEEE-like format with the given field widths, as its bit pattern; NaNs are
   * quieted.
   */
  private static int narrow(double value, int exponentBits, int mantissaBits) {
    long bits = Double.doubleToRawLongBits(value);
    int sign = (int) (bits >>> 63) << exponentBits + mantissaBits;
    int infinity = (1 << exponentBits) - 1 << mantissaBits;
    if (value != value) {
      return sign
          | infinity
          | 1 << mantissaBits - 1
          | (int) (bits >>> 52 - mantissaBits) & (1 << mantissaBits) - 1;
    }
    int bias = (1 << exponentBits - 1) - 1;
    int exponent = (int) (bits >>> 52 & 0x7ff) - 1023;
    if (exponent > bias) {
      return sign | infinity;
    }
    if (exponent < -bias - mantissaBits) {
      return sign;
    }
    long significand = bits & (1L << 52) - 1 | 1L << 52;
    int drop = 52 - mantissaBits;
    int field = exponent + bias;
    if (field < 1) {
      drop += 1 - field;
      field = 0;
    } else {
      field--; // the implicit one adds it back
    }
    long kept = significand >>> drop;
    long rest = significand & (1L << drop) - 1;
    long half = 1L << drop - 1;
    if (rest > half || rest == half && (kept & 1) != 0) {
      kept++;
    }
    return sign | (int) Math.min(((long) field << mantissaBits) + kept, infinity);
  }

  /** fp8 E4M3 FNUZ: bias 8, one zero, 0x80 is NaN, no infinities. */
  static float fp8ToFloat(int bits) {
    return fnuzToFloat(bits, 3, 8);
  }

  /** bf8 E5M2 FNUZ: bias 16. */
  static float bf8ToFloat(int bits) {
    return fnuzToFloat(bits, 2, 16);
  }

  private static float fnuzToFloat(int bits, int mantissaBits, int bias) {
    int b = bits & 0xff;
    if (b == 0x80) {
      return Float.NaN;
    }
    int exponent = (b & 0x7f) >>> mantissaBits;
    int mantissa = b & (1 << mantissaBits) - 1;
    float magnitude =
        exponent == 0
            ? Math.scalb((float) mantissa, 1 - bias - mantissaBits)
            : Math.scalb((float) (mantissa | 1 << mantissaBits), exponent - bias - mantissaBits);
    return b > 0x7f ? -magnitude : magnitude;
  }

  static int fp8FromFloat(float value) {
    return fnuzFromFloat(value, 3, 8);
  }

  static int bf8FromFloat(float value) {
    return fnuzFromFloat(value, 2, 16);
  }

  /**
   * Nearest, ties to even; values beyond the range saturate to the largest finite one, infinities
   * and NaN become NaN.
   */
  private static int fnuzFromFloat(float value, int mantissaBits, int bias) {
    if (value != value || Float.isInfinite(value)) {
      return 0x80;
    }
    double magnitude = Math.abs((double) value);
    int exponent = magnitude == 0 ? 1 - bias : Math.max(Math.getExponent(magnitude), 1 - bias);
    // the significand in units of the last place of this binade; at most one carry into the next
    long units = (long) Math.rint(Math.scalb(magnitude, mantissaBits - exponent));
    long encoded = units + ((long) (exponent + bias - 1) << mantissaBits);
    int field = (int) Math.min(encoded, 0x7f);
    return field == 0 ? 0 : value < 0 ? field | 0x80 : field;
  }
}
