package dev.warpline.study.energy;

/**
 * Least squares with unknowns that cannot be negative: each unknown in turn takes the value that is
 * best for it while the others stand still, or zero.
 */
final class NonNegative {
  private static final int SWEEPS = 200_000;
  private static final double STILL = 1e-12;

  private NonNegative() {}

  /**
   * Finds x of least |a x - b| with x of 0 or more.
   *
   * @param a rows of equations; a column may be all zeros, its unknown is 0 then
   */
  static double[] solve(double[][] a, double[] b) {
    int n = a.length == 0 ? 0 : a[0].length;
    double[][] products = new double[n][n];
    double[] right = new double[n];
    for (int row = 0; row < a.length; row++) {
      for (int i = 0; i < n; i++) {
        right[i] += a[row][i] * b[row];
        for (int j = 0; j < n; j++) {
          products[i][j] += a[row][i] * a[row][j];
        }
      }
    }
    double[] x = new double[n];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      double moved = 0;
      for (int i = 0; i < n; i++) {
        if (products[i][i] > 0) {
          double slope = right[i];
          for (int j = 0; j < n; j++) {
            slope -= products[i][j] * x[j];
          }
          double next = Math.max(0, x[i] + slope / products[i][i]);
          moved = Math.max(moved, Math.abs(next - x[i]) * Math.sqrt(products[i][i]));
          x[i] = next;
        }
      }
      if (moved < STILL) {
        break;
      }
    }
    return x;
  }
}
