package dev.warpline.study.validate;

import java.util.Arrays;
import java.util.List;

/**
 * How far off a set of kernels is.
 *
 * @param count kernels compared
 * @param mape mean absolute error, percent
 * @param median median absolute error, percent
 * @param p90 90th percentile of the absolute error, percent
 * @param max largest absolute error, percent
 * @param correlation Pearson's, of cycles
 * @param rankCorrelation Spearman's
 */
public record Summary(
    int count,
    double mape,
    double median,
    double p90,
    double max,
    double correlation,
    double rankCorrelation) {

  /** Of the kernels that ran. */
  public static Summary of(List<KernelComparison> comparisons) {
    List<KernelComparison> ran = comparisons.stream().filter(KernelComparison::ran).toList();
    double[] errors = ran.stream().mapToDouble(c -> Math.abs(c.errorPercent())).toArray();
    double[] measured = ran.stream().mapToDouble(KernelComparison::hardwareCycles).toArray();
    double[] simulated = ran.stream().mapToDouble(c -> c.result().cycles()).toArray();
    return of(errors, measured, simulated);
  }

  static Summary of(double[] errors, double[] measured, double[] simulated) {
    if (errors.length == 0) {
      return new Summary(0, 0, 0, 0, 0, 0, 0);
    }
    double[] sorted = errors.clone();
    Arrays.sort(sorted);
    return new Summary(
        errors.length,
        Arrays.stream(errors).average().orElse(0),
        quantile(sorted, 0.5),
        quantile(sorted, 0.9),
        sorted[sorted.length - 1],
        pearson(measured, simulated),
        pearson(ranks(measured), ranks(simulated)));
  }

  /** Quantile of ascending values, interpolated. */
  static double quantile(double[] sorted, double q) {
    if (sorted.length == 0) {
      return 0;
    }
    double at = q * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }

  static double pearson(double[] x, double[] y) {
    double mx = Arrays.stream(x).average().orElse(0);
    double my = Arrays.stream(y).average().orElse(0);
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (int i = 0; i < x.length; i++) {
      xy += (x[i] - mx) * (y[i] - my);
      xx += (x[i] - mx) * (x[i] - mx);
      yy += (y[i] - my) * (y[i] - my);
    }
    return xx == 0 || yy == 0 ? 1 : xy / Math.sqrt(xx * yy);
  }

  private static double[] ranks(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return Arrays.stream(values)
        .map(
            v -> {
              int first = Arrays.binarySearch(sorted, v);
              int last = first;
              while (first > 0 && sorted[first - 1] == v) {
                first--;
              }
              while (last + 1 < sorted.length && sorted[last + 1] == v) {
                last++;
              }
              return (first + last) / 2.0;
            })
        .toArray();
  }
}
