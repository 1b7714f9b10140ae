package dev.warpline.engine;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What a result rests on where not everything was simulated.
 *
 * @param asked the error that was asked for, relative, e.g. 0.05
 * @param plusMinus half of the 95 % interval of the cycles, relative to them
 * @param simulatedInstructions warp instructions that were simulated; the result's own are of all
 * @param how in words, for people
 */
public record Sampling(double asked, double plusMinus, long simulatedInstructions, String how) {
  /** Below this an interval would promise more than the models of the machine can. */
  public static final double LEAST = 0.001;

  /** Beyond this an estimate says nothing. */
  public static final double MOST = 0.5;

  /** The lower end of the 95 % interval of so many cycles. */
  public long low(long cycles) {
    return Math.round(cycles * (1 - plusMinus));
  }

  /** The upper end of the 95 % interval of so many cycles. */
  public long high(long cycles) {
    return Math.round(cycles * (1 + plusMinus));
  }

  /** Whether the interval is inside what was asked for. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean met() {
    return plusMinus <= asked;
  }

  /** An error as people write it: {@code 2%} or {@code 0.02}. */
  public static double parse(String text) {
    String number = text.strip();
    boolean percent = number.endsWith("%");
    try {
      double value =
          Double.parseDouble(percent ? number.substring(0, number.length() - 1) : number)
              / (percent ? 100 : 1);
      if (value >= LEAST && value <= MOST) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, with what is expected.
    }
    throw new IllegalArgumentException(
        "found " + text + ", expected an error from 0.1% to 50%, e.g. 2%");
  }
}
