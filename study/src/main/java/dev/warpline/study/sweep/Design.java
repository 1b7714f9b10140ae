package dev.warpline.study.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Which points a sensitivity analysis needs. The same numbers give the same points, so that what
 * was simulated can be judged later.
 *
 * @param number trajectories of Morris' method, or base samples of Sobol's
 * @param seed of the random numbers
 * @param ranges the fields and how far each goes
 */
public record Design(Method method, int number, int seed, List<Range> ranges) {
  /** How sensitivity is found out. */
  public enum Method {
    /** Elementary effects: fields are changed one after the other along random ways. */
    MORRIS,
    /** Shares of the variance, after Saltelli. */
    SOBOL
  }

  /** Levels of Morris' grid: steps are 2/3 of a range. */
  private static final int LEVELS = 4;

  /** How far a step of Morris' method goes, as a share of the range. */
  public static final double STEP = LEVELS / (2.0 * (LEVELS - 1));

  /** Points in a trajectory, or for a base sample. */
  public int block() {
    return ranges.size() + (method == Method.MORRIS ? 1 : 2);
  }

  /**
   * The points as shares of the ranges. Morris: each trajectory begins somewhere, and every point
   * after that differs from the one before in one field. Sobol: a point of A, one of B, and A with
   * each field in turn from B.
   */
  public List<double[]> shares() {
    return method == Method.MORRIS ? morris(new Random(seed)) : sobol(new Random(seed));
  }

  private List<double[]> morris(Random random) {
    List<double[]> points = new ArrayList<>();
    int fields = ranges.size();
    for (int t = 0; t < number; t++) {
      double[] point = new double[fields];
      for (int f = 0; f < fields; f++) {
        point[f] = random.nextInt(LEVELS) / (LEVELS - 1.0);
      }
      points.add(point.clone());
      for (int f : order(fields, random)) {
        point[f] += point[f] + STEP <= 1 + 1e-9 ? STEP : -STEP;
        points.add(point.clone());
      }
    }
    return points;
  }

  private List<double[]> sobol(Random random) {
    int fields = ranges.size();
    double[][] all = new double[2 * fields][];
    for (int column = 0; column < all.length; column++) {
      // Latin hypercube: each of the equal parts of a range has one sample.
      int[] order = order(number, random);
      all[column] = new double[number];
      for (int i = 0; i < number; i++) {
        all[column][i] = (order[i] + random.nextDouble()) / number;
      }
    }
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      double[] a = new double[fields];
      double[] b = new double[fields];
      for (int f = 0; f < fields; f++) {
        a[f] = all[f][i];
        b[f] = all[fields + f][i];
      }
      points.add(a);
      points.add(b);
      for (int f = 0; f < fields; f++) {
        double[] mixed = a.clone();
        mixed[f] = b[f];
        points.add(mixed);
      }
    }
    return points;
  }

  private static int[] order(int count, Random random) {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  Axis axis(String place) {
    List<Axis.Choice> choices = new ArrayList<>();
    for (double[] shares : shares()) {
      Map<String, String> values = new LinkedHashMap<>();
      for (int f = 0; f < shares.length; f++) {
        values.put(ranges.get(f).field(), Range.text(ranges.get(f).at(shares[f])));
      }
      choices.add(new Axis.Choice(place, values));
    }
    return new Axis(choices);
  }
}
