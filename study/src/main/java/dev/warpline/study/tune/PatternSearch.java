package dev.warpline.study.tune;

import dev.warpline.study.sweep.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Looks for the least mean of absolute errors without derivatives. It asks for some machines at a
 * time and is told the error of every kernel on them; the same answers lead to the same questions.
 *
 * <p>First the start and a few machines spread over the ranges. Then, from the best one, a step
 * along every field in both directions. These say for each kernel how its error goes with each
 * field (a parabola), and so where the mean should be least: that is tried within two steps and
 * within half a step, and so is twice the best single step. Only the mean has kinks, where no
 * single field leads on; the kernels' own errors rarely do. Where nothing is better, steps get
 * shorter. Whole numbers change by 1 at least. It ends when steps are below a hundredth of the
 * ranges, or with its budget.
 */
final class PatternSearch {
  private static final double FIRST_STEP = 0.25;
  private static final double LAST_STEP = 1.0 / 128;
  private static final double SHORTER = 1.0 / 3;
  private static final double BETTER = 1e-9;

  /** Guesses when the sum of parabolas is searched: they cost nothing. */
  private static final int GUESSES = 4000;

  private enum Phase {
    SPREAD,
    STEPS,
    MODEL
  }

  private final List<Range> ranges;
  private final int budget;
  private final Random random;
  private final Map<List<String>, double[]> errors = new LinkedHashMap<>();
  private Phase phase = Phase.SPREAD;
  private double[] best;
  private double step = FIRST_STEP;
  private List<double[]> proposed = new ArrayList<>();
  private List<List<String>> asked = List.of();
  private boolean ended;

  /**
   * A search.
   *
   * @param start shares of the ranges
   * @param budget most machines that it may ask for
   */
  PatternSearch(List<Range> ranges, double[] start, int budget, int seed) {
    this.ranges = ranges;
    this.budget = budget;
    random = new Random(seed);
    best = snapped(start);
    proposed.add(best);
    spread(Math.min(3 * ranges.size(), budget / 4));
  }

  /** A Latin hypercube: each field is once in each of the equal parts of its range. */
  private void spread(int count) {
    double[][] points = new double[count][ranges.size()];
    for (int f = 0; f < ranges.size(); f++) {
      List<Integer> parts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        parts.add(i);
      }
      Collections.shuffle(parts, random);
      for (int i = 0; i < count; i++) {
        points[i][f] = (parts.get(i) + 0.5) / count;
      }
    }
    for (double[] point : points) {
      proposed.add(snapped(point));
    }
  }

  /** Machines whose errors it wants to know, as values of the fields; none when it has ended. */
  List<List<String>> ask() {
    while (!ended) {
      asked =
          proposed.stream()
              .map(this::values)
              .distinct()
              .filter(values -> !errors.containsKey(values))
              .limit(budget - errors.size())
              .toList();
      if (!asked.isEmpty()) {
        return asked;
      }
      judge();
    }
    return List.of();
  }

  /** Tells the kernels' errors on what it asked for, in the same order. */
  void tell(List<double[]> answers) {
    for (int i = 0; i < asked.size(); i++) {
      errors.put(asked.get(i), answers.get(i));
    }
    judge();
  }

  /** The best machine so far. */
  List<String> best() {
    return values(best);
  }

  /** Its error. */
  double error() {
    return error(best);
  }

  private void judge() {
    if (phase == Phase.STEPS) {
      model();
    } else {
      double[] from = best;
      for (double[] point : proposed) {
        best = error(point) < error(best) - BETTER ? point : best;
      }
      if (phase == Phase.MODEL) {
        double way = distance(from, best);
        step = way == 0 ? step * SHORTER : way > 1.5 * step ? Math.min(FIRST_STEP, 2 * step) : step;
      }
      phase = Phase.STEPS;
      proposed = new ArrayList<>();
      for (int f = 0; f < best.length; f++) {
        proposed.add(stepped(f, step));
        proposed.add(stepped(f, -step));
      }
    }
    ended |= step < LAST_STEP || errors.size() >= budget;
  }

  /** Proposes what the steps promise. */
  private void model() {
    phase = Phase.MODEL;
    double[] first = best;
    for (double[] point : proposed) {
      first = error(point) < error(first) ? point : first;
    }
    double[][][] parabolas = parabolas();
    List<double[]> ways = new ArrayList<>();
    if (parabolas != null) {
      ways.add(promising(parabolas, 2 * step));
      ways.add(promising(parabolas, step / 2));
    }
    ways.add(new double[best.length]);
    for (int f = 0; f < best.length; f++) {
      ways.get(ways.size() - 1)[f] = 2 * (first[f] - best[f]);
    }
    for (double[] way : ways) {
      double[] point = best.clone();
      for (int f = 0; f < point.length; f++) {
        point[f] += way[f];
      }
      proposed.add(snapped(point));
    }
  }

  /** Of each kernel and field, a and b of a x + b x x; null where the best has no result. */
  private double[][][] parabolas() {
    double[] here = errors.get(values(best));
    if (here == null || Double.isInfinite(error(best))) {
      return null;
    }
    double[][][] all = new double[here.length][best.length][2];
    for (int k = 0; k < here.length; k++) {
      for (int f = 0; f < best.length; f++) {
        double[] up = slope(k, f, proposed.get(2 * f));
        double[] down = slope(k, f, proposed.get(2 * f + 1));
        if (up != null && down != null) {
          all[k][f][1] = (up[1] - down[1]) / (up[0] - down[0]);
          all[k][f][0] = up[1] - all[k][f][1] * up[0];
        } else if (up != null || down != null) {
          all[k][f][0] = up != null ? up[1] : down[1];
        }
      }
    }
    return all;
  }

  /** How far a step went and how steep it was; null if it is not known or went nowhere. */
  private double[] slope(int kernel, int field, double[] point) {
    double[] there = errors.get(values(point));
    double way = point[field] - best[field];
    if (there == null || way == 0 || Double.isInfinite(there[kernel])) {
      return null;
    }
    return new double[] {way, (there[kernel] - errors.get(values(best))[kernel]) / way};
  }

  /** The way to where the mean should be least, by trial: smaller and smaller changes. */
  private double[] promising(double[][][] parabolas, double most) {
    double[] here = errors.get(values(best));
    double[] way = new double[best.length];
    double least = promised(here, parabolas, way);
    for (int guess = 0; guess < GUESSES; guess++) {
      double width = most * Math.pow(1e-3, (double) guess / GUESSES);
      double[] other = way.clone();
      for (int f = 0; f < other.length; f++) {
        double inside =
            Math.max(-best[f], Math.min(1 - best[f], way[f] + width * random.nextGaussian()));
        other[f] = Math.max(-most, Math.min(most, inside));
      }
      double promise = promised(here, parabolas, other);
      if (promise < least) {
        least = promise;
        way = other;
      }
    }
    return way;
  }

  private static double promised(double[] here, double[][][] parabolas, double[] way) {
    double sum = 0;
    for (int k = 0; k < here.length; k++) {
      double error = here[k];
      for (int f = 0; f < way.length; f++) {
        error += way[f] * (parabolas[k][f][0] + parabolas[k][f][1] * way[f]);
      }
      sum += Math.abs(error);
    }
    return sum;
  }

  private double error(double[] point) {
    double[] known = errors.get(values(point));
    return known == null
        ? Double.POSITIVE_INFINITY
        : Arrays.stream(known).map(Math::abs).average().orElseThrow();
  }

  private List<String> values(double[] point) {
    List<String> values = new ArrayList<>();
    for (int f = 0; f < point.length; f++) {
      values.add(Range.text(ranges.get(f).at(point[f])));
    }
    return values;
  }

  /** Inside the ranges, whole numbers where they must be. */
  private double[] snapped(double[] point) {
    double[] inside = new double[point.length];
    for (int f = 0; f < point.length; f++) {
      Range range = ranges.get(f);
      double share = Math.max(0, Math.min(1, point[f]));
      inside[f] = range.whole() ? range.share(range.at(share)) : share;
    }
    return inside;
  }

  /** A step along a field; of a whole number by 1 at least. */
  private double[] stepped(int field, double by) {
    double[] point = best.clone();
    point[field] += by;
    point = snapped(point);
    Range range = ranges.get(field);
    double value = range.at(best[field]);
    if (range.whole() && range.at(point[field]) == value) {
      point[field] = range.share(value + Math.signum(by));
    }
    return point;
  }

  private static double distance(double[] a, double[] b) {
    double most = 0;
    for (int f = 0; f < a.length; f++) {
      most = Math.max(most, Math.abs(a[f] - b[f]));
    }
    return most;
  }
}
