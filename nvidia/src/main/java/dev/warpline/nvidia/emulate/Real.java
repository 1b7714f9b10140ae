package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.math.BigDecimal;

/** Floating-point numbers as the GPU's units round them. */
final class Real {
  static final int NAN = 0x7fffffff;

  /** What double-precision arithmetic gives that has no number for a result. */
  static final long DOUBLE_NAN = 0xfff8000000000000L;

  /** The bit that makes a double quiet that is no number. */
  static final long QUIET = 0x0008000000000000L;

  /** Directions of rounding. */
  enum Rounding {
    NEAREST,
    ZERO,
    UP,
    DOWN
  }

  private static final float LEAST_NORMAL = Float.MIN_NORMAL;

  private Real() {}

  static Rounding rounding(SassInstruction instruction) {
    return switch (instruction.oneOf("RN", "RM", "RP", "RZ")) {
      case "RM" -> Rounding.DOWN;
      case "RP" -> Rounding.UP;
      case "RZ" -> Rounding.ZERO;
      default -> Rounding.NEAREST;
    };
  }

  /** An immediate as written, e.g. {@code -1.5}, {@code +INF}, {@code -QNAN}. */
  static double of(Operand operand) {
    if (operand.kind() != Kind.IMMEDIATE || operand.integer()) {
      return 0;
    }
    double value =
        switch (operand.text()) {
          case "INF" -> Double.POSITIVE_INFINITY;
          case "QNAN", "SNAN" -> Double.NaN;
          default -> Double.parseDouble(operand.text());
        };
    return operand.negative() ? -value : value;
  }

  /** The bits of a single-precision immediate; hexadecimal ones are bits already. */
  static int single(Operand operand) {
    return operand.integer() ? (int) operand.value() : bits((float) of(operand));
  }

  static int bits(float value) {
    return Float.isNaN(value) ? NAN : Float.floatToRawIntBits(value);
  }

  /** A subnormal number becomes zero. */
  static float flush(float value) {
    return Math.abs(value) < LEAST_NORMAL ? value * 0f : value;
  }

  /** Whether a result would be subnormal when rounded to the digits of a normal number. */
  static boolean tiny(double exact, Rounding rounding) {
    return Math.abs(exact) < LEAST_NORMAL
        && Math.abs(round(exact * 0x1p24, rounding)) < LEAST_NORMAL * 0x1p24f;
  }

  /** Whether a single-precision number is subnormal. */
  static boolean subnormal(double value) {
    return Math.abs(value) < LEAST_NORMAL;
  }

  static float saturate(float value) {
    return value >= 1 ? 1 : value > 0 ? value : 0;
  }

  static float fma(float a, float b, float c, Rounding rounding) {
    float nearest = Math.fma(a, b, c);
    return rounding == Rounding.NEAREST ? nearest : directed(nearest, (double) a * b, c, rounding);
  }

  static float add(float a, float b, Rounding rounding) {
    return rounding == Rounding.NEAREST ? a + b : directed(a + b, a, b, rounding);
  }

  /** The sum of two doubles, rounded once. */
  static float sum(double a, double b, Rounding rounding) {
    float nearest = (float) sumToOdd(a, b);
    return rounding == Rounding.NEAREST ? nearest : directed(nearest, a, b, rounding);
  }

  /** Rounds a product that a double holds exactly. */
  static float round(double exact, Rounding rounding) {
    return rounding == Rounding.NEAREST
        ? (float) exact
        : directed((float) exact, exact, 0, rounding);
  }

  /** Corrects the nearest number to the sum of two others. */
  private static float directed(float nearest, double a, double b, Rounding rounding) {
    double sum = a + b;
    if (Float.isNaN(nearest) || Double.isInfinite(sum)) {
      return nearest;
    }
    if (sum == 0) {
      return rounding == Rounding.DOWN && !(positiveZero(a) && positiveZero(b)) ? -0f : nearest;
    }
    double error = sumError(a, b, sum);
    double beyond = Float.isInfinite(nearest) ? -nearest : sum - nearest;
    double difference = beyond != 0 ? beyond : error;
    boolean tooHigh = difference < 0;
    boolean tooLow = difference > 0;
    return switch (rounding) {
      case UP -> tooLow ? Math.nextUp(nearest) : nearest;
      case DOWN -> tooHigh ? Math.nextDown(nearest) : nearest;
      default ->
          tooHigh && nearest > 0
              ? Math.nextDown(nearest)
              : tooLow && nearest < 0 ? Math.nextUp(nearest) : nearest;
    };
  }

  private static boolean positiveZero(double value) {
    return Double.doubleToRawLongBits(value) == 0;
  }

  /** A double-precision result, moved to its neighbour where the exact one lies beyond it. */
  static double fma(double a, double b, double c, Rounding rounding) {
    double nearest = Math.fma(a, b, c);
    if (rounding == Rounding.NEAREST
        || Double.isNaN(nearest)
        || Double.isInfinite(a)
        || Double.isInfinite(b)
        || Double.isInfinite(c)) {
      return nearest;
    }
    BigDecimal exact = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));
    boolean up = rounding == Rounding.UP || rounding == Rounding.ZERO && exact.signum() < 0;
    if (exact.signum() == 0) {
      boolean opposite = !positiveZero(nearest) || product(a, b) != product(c, 1);
      return rounding == Rounding.DOWN && opposite ? -0.0 : nearest;
    }
    if (Double.isInfinite(nearest)) {
      return up == nearest > 0 ? nearest : Math.copySign(Double.MAX_VALUE, nearest);
    }
    int beyond = exact.compareTo(new BigDecimal(nearest));
    return beyond > 0 && up
        ? Math.nextUp(nearest)
        : beyond < 0 && !up ? Math.nextDown(nearest) : nearest;
  }

  /** Whether a product is negative, be it zero. */
  private static boolean product(double a, double b) {
    return (Double.doubleToRawLongBits(a) ^ Double.doubleToRawLongBits(b)) < 0;
  }

  /** What rounding took from a sum. */
  private static double sumError(double a, double b, double sum) {
    double second = sum - a;
    return (a - (sum - second)) + (b - second);
  }

  /** A sum whose last bit says whether it is exact, so that rounding it again is right. */
  static double sumToOdd(double a, double b) {
    double sum = a + b;
    if (Double.isNaN(sum) || Double.isInfinite(sum)) {
      return sum;
    }
    double error = sumError(a, b, sum);
    if (error == 0 || (Double.doubleToRawLongBits(sum) & 1) != 0) {
      return sum;
    }
    return error > 0 ? Math.nextUp(sum) : Math.nextDown(sum);
  }

  static float fromHalf(int half) {
    int exponent = half >> 10 & 31;
    int mantissa = half & 0x3ff;
    int sign = (half & 0x8000) << 16;
    if (exponent == 31) {
      return Float.intBitsToFloat(sign | 0x7f800000 | mantissa << 13);
    }
    float value =
        exponent == 0 ? mantissa * 0x1p-24f : Math.scalb(1 + mantissa * 0x1p-10f, exponent - 15);
    return sign != 0 ? -value : value;
  }

  static int toHalf(double value) {
    return toSmall(value, 10, 15, Rounding.NEAREST);
  }

  static float fromBfloat(int bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  static int toBfloat(double value) {
    return toSmall(value, 7, 127, Rounding.NEAREST);
  }

  /** Rounds to a number of up to 16 bits with so many bits of mantissa and that bias. */
  static int toSmall(double value, int mantissaBits, int bias, Rounding rounding) {
    if (Double.isNaN(value)) {
      return 0x7fff;
    }
    int sign = Double.doubleToRawLongBits(value) < 0 ? 0x8000 : 0;
    double magnitude = Math.abs(value);
    int infinity = 2 * bias + 1 << mantissaBits;
    boolean away = rounding == Rounding.UP && sign == 0 || rounding == Rounding.DOWN && sign != 0;
    boolean towards = rounding != Rounding.NEAREST && !away;
    int exponent = Math.max(Math.getExponent(magnitude), 1 - bias);
    if (exponent > bias) {
      return sign | (towards && !Double.isInfinite(value) ? infinity - 1 : infinity);
    }
    double scaled = Math.scalb(magnitude, mantissaBits - exponent);
    long mantissa =
        (long) (towards ? Math.floor(scaled) : away ? Math.ceil(scaled) : Math.rint(scaled));
    return sign | (int) Math.min(infinity, (exponent + bias - 1L << mantissaBits) + mantissa);
  }
}
