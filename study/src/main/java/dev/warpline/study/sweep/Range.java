package dev.warpline.study.sweep;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The numbers that a field may have.
 *
 * @param log whether equal steps are equal factors
 * @param whole whether the field takes whole numbers only
 */
public record Range(String field, double from, double to, boolean log, boolean whole) {
  /** The number at a share of the way, 0 to 1. */
  public double at(double share) {
    double value = log ? from * Math.pow(to / from, share) : from + share * (to - from);
    return whole ? Math.rint(value) : value;
  }

  /** How far a number is on the way, 0 to 1; the nearer end if it lies outside. */
  public double share(double value) {
    double share =
        log ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    return Math.max(0, Math.min(1, share));
  }

  /** A number as a description has it; ten digits are more than any field means. */
  public static String text(double number) {
    return new BigDecimal(number).round(new MathContext(10)).stripTrailingZeros().toPlainString();
  }
}
