package dev.warpline.study.explore;

import java.util.List;

/** One number for many. */
public enum Aggregate {
  MEAN,
  GEOMEAN,
  MIN,
  MAX,
  SUM,
  COUNT;

  /** The number; NaN of none. */
  public double of(List<Double> numbers) {
    return switch (this) {
      case MEAN -> numbers.stream().mapToDouble(n -> n).average().orElse(Double.NaN);
      case GEOMEAN ->
          Math.exp(numbers.stream().mapToDouble(Math::log).average().orElse(Double.NaN));
      case MIN -> numbers.stream().mapToDouble(n -> n).min().orElse(Double.NaN);
      case MAX -> numbers.stream().mapToDouble(n -> n).max().orElse(Double.NaN);
      case SUM -> numbers.stream().mapToDouble(n -> n).sum();
      case COUNT -> numbers.size();
    };
  }
}
