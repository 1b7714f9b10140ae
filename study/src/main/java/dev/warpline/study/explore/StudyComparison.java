package dev.warpline.study.explore;

import dev.warpline.study.sweep.Expression;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two studies point by point: those of the same trace, GPU, core and varied values.
 *
 * @param pairs points that both have, the largest difference first
 * @param onlyA done points that the other lacks
 * @param onlyB the same the other way round
 */
public record StudyComparison(List<Pair> pairs, int onlyA, int onlyB) {
  /** A point in both. */
  public record Pair(ResultTable.Row point, double a, double b) {
    /** How many times as much the second has. */
    public double ratio() {
      return a == b ? 1 : b / a;
    }
  }

  /** Compares what a formula gives. */
  public static StudyComparison of(ResultTable a, ResultTable b, Expression metric)
      throws IOException {
    a.check(metric);
    b.check(metric);
    Map<List<Object>, ResultTable.Row> others = new HashMap<>();
    b.entries().forEach(row -> others.put(key(row), row));
    List<Pair> pairs = new ArrayList<>();
    int onlyA = 0;
    for (ResultTable.Row row : a.entries()) {
      ResultTable.Row other = others.remove(key(row));
      if (other == null) {
        onlyA++;
      } else {
        pairs.add(new Pair(row, metric.number(row::get), metric.number(other::get)));
      }
    }
    pairs.sort(Comparator.comparing(pair -> -Math.abs(Math.log(pair.ratio()))));
    return new StudyComparison(pairs, onlyA, others.size());
  }

  private static List<Object> key(ResultTable.Row row) {
    List<Object> key = row.machine();
    key.add(row.entry().member().trace());
    return key;
  }

  /** Pairs that are not equal. */
  public long different() {
    return pairs.stream().filter(pair -> pair.ratio() != 1).count();
  }

  /** The geometric mean of the ratios. */
  public double mean() {
    return Aggregate.GEOMEAN.of(pairs.stream().map(Pair::ratio).toList());
  }
}
