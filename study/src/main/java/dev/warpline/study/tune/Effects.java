package dev.warpline.study.tune;

import java.util.ArrayList;
import java.util.List;

/** What fields do to kernels, as vectors with a number per kernel. */
final class Effects {
  private Effects() {}

  /**
   * Which share of a field's effect the other fields together cannot have: 1 if no kernel that they
   * move is moved by it, 0 if it can be made up for by them.
   */
  static double own(double[][] effects, int field) {
    List<double[]> basis = new ArrayList<>();
    for (int other = 0; other < effects.length; other++) {
      if (other != field) {
        double[] rest = rest(effects[other], basis);
        double length = length(rest);
        if (length > 1e-6 * length(effects[other])) {
          for (int k = 0; k < rest.length; k++) {
            rest[k] /= length;
          }
          basis.add(rest);
        }
      }
    }
    double whole = length(effects[field]);
    return whole == 0 ? 0 : length(rest(effects[field], basis)) / whole;
  }

  /** What is left of a vector at right angles to others, which are so to each other. */
  private static double[] rest(double[] vector, List<double[]> basis) {
    double[] rest = vector.clone();
    for (double[] axis : basis) {
      double part = 0;
      for (int k = 0; k < rest.length; k++) {
        part += axis[k] * rest[k];
      }
      for (int k = 0; k < rest.length; k++) {
        rest[k] -= part * axis[k];
      }
    }
    return rest;
  }

  private static double length(double[] vector) {
    double sum = 0;
    for (double number : vector) {
      sum += number * number;
    }
    return Math.sqrt(sum);
  }
}
