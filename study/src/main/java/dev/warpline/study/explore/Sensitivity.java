package dev.warpline.study.explore;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.study.sweep.Design;
import dev.warpline.study.sweep.Expression;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which field moves a number most. Numbers are divided by their mean over the points of a trace, so
 * that long and short traces count alike.
 */
public final class Sensitivity {
  /**
   * A field.
   *
   * @param first Morris: mean of the effects' sizes (mu*); Sobol: share of the variance that the
   *     field makes alone
   * @param second Morris: standard deviation of the effects (sigma); Sobol: share of the variance
   *     that would go with the field, together with others (total)
   */
  public record Effect(String field, double first, double second) {}

  private Sensitivity() {}

  /**
   * Effects of every field, the largest first, by trace and machine; the means over all under
   * {@code all}.
   */
  public static Map<String, List<Effect>> of(ResultTable table, Design design, Expression metric)
      throws IOException {
    table.check(metric);
    Set<String> groups = new LinkedHashSet<>();
    table.entries().forEach(row -> groups.add(group(row)));
    Map<String, List<Effect>> all = new LinkedHashMap<>();
    for (String group : groups) {
      List<Double> values = new ArrayList<>();
      for (ResultTable.Row row : table.entries()) {
        if (group(row).equals(group)) {
          if (row.entry().result() == null) {
            throw new DescriptionException(
                table.study()
                    + ": point "
                    + row.entry().member().number()
                    + " is "
                    + row.entry().state().name().toLowerCase(java.util.Locale.ROOT)
                    + ", expected all points of "
                    + group
                    + " done: a sensitivity needs every one");
          }
          values.add(metric.number(row::get));
        }
      }
      if (values.size() != design.shares().size()) {
        throw new DescriptionException(
            table.study()
                + ": found "
                + values.size()
                + " points of "
                + group
                + ", expected the "
                + design.shares().size()
                + " of the design: vary nothing beside sensitivity, and filter nothing");
      }
      double mean = Aggregate.MEAN.of(values);
      double[] relative = values.stream().mapToDouble(v -> v / mean).toArray();
      all.put(
          group,
          sorted(
              design.method() == Design.Method.MORRIS
                  ? morris(design, relative)
                  : sobol(design, relative)));
    }
    if (all.size() > 1) {
      all.put("all", sorted(means(design, List.copyOf(all.values()))));
    }
    return all;
  }

  private static String group(ResultTable.Row row) {
    return row.entry().member().trace()
        + ", "
        + row.entry().member().gpu()
        + " "
        + row.entry().member().core();
  }

  private static List<Effect> sorted(List<Effect> effects) {
    List<Effect> sorted = new ArrayList<>(effects);
    sorted.sort(Comparator.comparing(effect -> -effect.first()));
    return sorted;
  }

  private static List<Effect> means(Design design, List<List<Effect>> groups) {
    List<Effect> means = new ArrayList<>();
    for (int f = 0; f < design.ranges().size(); f++) {
      String field = design.ranges().get(f).field();
      List<Effect> same =
          groups.stream().flatMap(List::stream).filter(e -> e.field().equals(field)).toList();
      means.add(
          new Effect(
              field,
              Aggregate.MEAN.of(same.stream().map(Effect::first).toList()),
              Aggregate.MEAN.of(same.stream().map(Effect::second).toList())));
    }
    return means;
  }

  static List<Effect> morris(Design design, double[] values) {
    int fields = design.ranges().size();
    List<double[]> shares = design.shares();
    double[] sum = new double[fields];
    double[] size = new double[fields];
    double[] square = new double[fields];
    for (int t = 0; t < design.number(); t++) {
      for (int step = 1; step <= fields; step++) {
        int at = t * design.block() + step;
        for (int f = 0; f < fields; f++) {
          double change = shares.get(at)[f] - shares.get(at - 1)[f];
          if (change != 0) {
            double effect = (values[at] - values[at - 1]) / change;
            sum[f] += effect;
            size[f] += Math.abs(effect);
            square[f] += effect * effect;
          }
        }
      }
    }
    List<Effect> effects = new ArrayList<>();
    int n = design.number();
    for (int f = 0; f < fields; f++) {
      double variance = (square[f] - sum[f] * sum[f] / n) / Math.max(1, n - 1);
      effects.add(
          new Effect(
              design.ranges().get(f).field(), size[f] / n, Math.sqrt(Math.max(0, variance))));
    }
    return effects;
  }

  static List<Effect> sobol(Design design, double[] values) {
    int fields = design.ranges().size();
    int n = design.number();
    int block = design.block();
    double sum = 0;
    double square = 0;
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < 2; k++) {
        double v = values[i * block + k];
        sum += v;
        square += v * v;
      }
    }
    double mean = sum / (2 * n);
    double variance = square / (2 * n) - mean * mean;
    List<Effect> effects = new ArrayList<>();
    for (int f = 0; f < fields; f++) {
      double first = 0;
      double total = 0;
      for (int i = 0; i < n; i++) {
        double a = values[i * block];
        double b = values[i * block + 1];
        double mixed = values[i * block + 2 + f];
        first += b * (mixed - a);
        total += (a - mixed) * (a - mixed) / 2;
      }
      boolean flat = variance < 1e-15;
      effects.add(
          new Effect(
              design.ranges().get(f).field(),
              flat ? 0 : first / n / variance,
              flat ? 0 : total / n / variance));
    }
    return effects;
  }
}
