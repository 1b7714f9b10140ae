package dev.warpline.amd.exec;

import java.math.BigDecimal;

/**
 * Exact arithmetic for what hardware doubles and floats cannot do directly: rounding modes other
 * than nearest-even (MODE bits 3:0), and results that would be rounded twice. Slow; kernels
 * practically never leave nearest-even.
 */
final class Rounding {
  static final int NEAREST = 0;
  static final int UP = 1;
  static final int DOWN = 2;
  static final int ZERO = 3;

  /** The exact value of an operation on finite operands. */
  interface Exact {
    BigDecimal apply(BigDecimal a, BigDecimal b, BigDecimal c);
  }

  private Rounding() {}

  static Exact add() {
    return (a, b, c) -> a.add(b);
  }

  static Exact subtract() {
    return (a, b, c) -> a.subtract(b);
  }

  static Exact subtractReversed() {
    return (a, b, c) -> b.subtract(a);
  }

  static Exact multiply() {
    return (a, b, c) -> a.multiply(b);
  }

  static Exact fma() {
    return (a, b, c) -> a.multiply(b).add(c);
  }

  /** For conversions. */
  static Exact same() {
    return (a, b, c) -> a;
  }

  /**
   * The f32 neighbour of {@code exact} that {@code mode} asks for.
   *
   * @param nearest the result rounded to nearest; decides zeros (with their sign) and what is
   *     infinite in any mode
   */
  static float toFloat(BigDecimal exact, float nearest, int mode) {
    if (exact.signum() == 0) {
      return nearest;
    }
    int direction =
        direction(exact, Float.isInfinite(nearest) ? null : new BigDecimal(nearest), mode);
    return direction > 0 ? Math.nextUp(nearest) : direction < 0 ? Math.nextDown(nearest) : nearest;
  }

  static double toDouble(BigDecimal exact, double nearest, int mode) {
    if (exact.signum() == 0) {
      return nearest;
    }
    int direction =
        direction(exact, Double.isInfinite(nearest) ? null : new BigDecimal(nearest), mode);
    return direction > 0 ? Math.nextUp(nearest) : direction < 0 ? Math.nextDown(nearest) : nearest;
  }

  static int toHalf(BigDecimal exact, int nearest, int mode) {
    float value = Half.toFloat(nearest);
    if (exact.signum() == 0) {
      return nearest;
    }
    int direction = direction(exact, Float.isInfinite(value) ? null : new BigDecimal(value), mode);
    if (direction == 0) {
      return nearest;
    }
    if ((nearest & 0x7fff) == 0) {
      return direction > 0 ? 0x0001 : 0x8001;
    }
    boolean positive = (nearest & 0x8000) == 0;
    boolean away = direction > 0 == positive;
    return away ? nearest + 1 : nearest - 1;
  }

  /**
   * Which way to step from the nearest value (null: infinite, same sign as exact): 1 up, -1 down, 0
   * stay.
   */
  private static int direction(BigDecimal exact, BigDecimal nearest, int mode) {
    int error = nearest == null ? exact.signum() : nearest.compareTo(exact);
    if (error == 0) {
      return 0;
    }
    boolean up = mode == UP || mode == ZERO && exact.signum() < 0;
    boolean down = mode == DOWN || mode == ZERO && exact.signum() > 0;
    return up && error < 0 ? 1 : down && error > 0 ? -1 : 0;
  }

  /** (a * b + c) * 2^-128 rounded once to a multiple of 2^-1074, ties to even: a denormal f64. */
  static double denormalFma(double a, double b, double c) {
    BigDecimal exact = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));
    BigDecimal units = exact.multiply(new BigDecimal(2).pow(1074 - 128));
    return units.setScale(0, java.math.RoundingMode.HALF_EVEN).doubleValue() * Double.MIN_VALUE;
  }
}
