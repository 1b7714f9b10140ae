package dev.warpline.nvidia.modern.echo;

/**
 * How much later than the simulated SMs all SMs of a kind end. The last of many ends later than the
 * last of few: by what the work of each, which the trace tells, makes of it, and by what they
 * differ in besides.
 *
 * @param later cycles from the end of the last simulated SM to the end of the last one, expected
 * @param deviation standard deviation of that
 */
record LatestEnd(double later, double deviation) {
  static final LatestEnd KNOWN = new LatestEnd(0, 0);

  /**
   * Of what chance would add: an SM that is late finds less competition at its end (0.5 fits the
   * calibration kernels of docs/sampling.md).
   */
  private static final double CATCHES_UP = 0.5;

  /** Simulated SMs from which on a line is laid through their ends. */
  private static final int FOR_A_LINE = 4;

  /**
   * @param ends of the simulated SMs
   * @param work of each of these, in instructions
   * @param allWork of all SMs of the kind, these included
   */
  static LatestEnd of(double[] ends, double[] work, double[] allWork) {
    int k = ends.length;
    int n = allWork.length;
    if (k == n || k < 2) {
      return KNOWN;
    }
    double meanEnd = mean(ends);
    double meanWork = mean(work);
    double both = 0;
    double square = 0;
    for (int i = 0; i < k; i++) {
      both += (ends[i] - meanEnd) * (work[i] - meanWork);
      square += (work[i] - meanWork) * (work[i] - meanWork);
    }
    double slope = k >= FOR_A_LINE && square > 0 ? Math.max(0, both / square) : 0;
    double rest = 0;
    for (int i = 0; i < k; i++) {
      double residual = ends[i] - meanEnd - slope * (work[i] - meanWork);
      rest += residual * residual;
    }
    double deviation = Math.sqrt(rest / (slope > 0 ? k - 2 : k - 1));
    double byWork = slope * (max(allWork) - max(work));
    double byChance = CATCHES_UP * deviation * (expectedMost(n) - expectedMost(k));
    // The last of n is some way off what is expected, and so is the last of k.
    double spread = CATCHES_UP * deviation * Math.hypot(spreadOfMost(n), spreadOfMost(k));
    return new LatestEnd(byWork + byChance, Math.hypot(spread, 0.5 * byWork));
  }

  /** The one of two that leaves less open. */
  LatestEnd surer(LatestEnd other) {
    return other.deviation < deviation ? other : this;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double max(double[] values) {
    double most = values[0];
    for (double value : values) {
      most = Math.max(most, value);
    }
    return most;
  }

  /** The largest of so many normal deviates, on average (after Blom). */
  static double expectedMost(int n) {
    return n == 1 ? 0 : quantile((n - 0.375) / (n + 0.25));
  }

  /** How much the largest of so many normal deviates varies: as the extreme value law says. */
  private static double spreadOfMost(int n) {
    return n == 1 ? 1 : 1.28 / Math.sqrt(2 * Math.log(n) + 1.0);
  }

  /** The normal quantile above one half (Abramowitz and Stegun 26.2.23, to 0.0005). */
  private static double quantile(double p) {
    double t = Math.sqrt(-2 * Math.log(1 - p));
    return t
        - (2.515517 + 0.802853 * t + 0.010328 * t * t)
            / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t);
  }
}
