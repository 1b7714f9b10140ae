package dev.warpline.study.explore;

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
 * The machines of a study that no other beats in every respect.
 *
 * @param machines all machines with a result for every trace, by their first objective
 * @param incomplete machines that lack one and are left out
 */
public record Pareto(List<Objective> objectives, List<Machine> machines, int incomplete) {
  /** What is wanted: little of something, or much. */
  public record Objective(Expression formula, boolean most) {}

  /**
   * A machine.
   *
   * @param point one of its points, for its fields
   * @param values what it has of each objective: the geometric mean over the traces
   * @param best whether no other machine is at least as good in all and better in one
   */
  public record Machine(ResultTable.Row point, double[] values, boolean best) {}

  /** Finds the front. */
  public static Pareto of(ResultTable table, List<Objective> objectives) throws IOException {
    Set<String> traces = new LinkedHashSet<>();
    Map<List<Object>, List<ResultTable.Row>> machines = new LinkedHashMap<>();
    for (ResultTable.Row row : table.entries()) {
      traces.add(row.entry().member().trace());
      machines.computeIfAbsent(row.machine(), key -> new ArrayList<>()).add(row);
    }
    ResultTable done = table.done();
    for (Objective objective : objectives) {
      done.check(objective.formula());
    }
    List<ResultTable.Row> points = new ArrayList<>();
    List<double[]> values = new ArrayList<>();
    int incomplete = 0;
    for (List<ResultTable.Row> rows : machines.values()) {
      if (rows.size() < traces.size() || rows.stream().anyMatch(r -> r.entry().result() == null)) {
        incomplete++;
        continue;
      }
      double[] numbers = new double[objectives.size()];
      for (int i = 0; i < numbers.length; i++) {
        Expression formula = objectives.get(i).formula();
        List<Double> all = rows.stream().map(row -> formula.number(row::get)).toList();
        boolean same = all.stream().distinct().count() == 1;
        numbers[i] = same ? all.get(0) : Aggregate.GEOMEAN.of(all);
      }
      points.add(rows.get(0));
      values.add(numbers);
    }
    List<Machine> found = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      double[] mine = values.get(i);
      boolean beaten = values.stream().anyMatch(other -> beats(other, mine, objectives));
      found.add(new Machine(points.get(i), mine, !beaten));
    }
    found.sort(Comparator.comparing(machine -> machine.values()[0]));
    return new Pareto(objectives, found, incomplete);
  }

  private static boolean beats(double[] a, double[] b, List<Objective> objectives) {
    boolean better = false;
    for (int i = 0; i < a.length; i++) {
      double gain = objectives.get(i).most() ? a[i] - b[i] : b[i] - a[i];
      if (gain < 0 || Double.isNaN(gain)) {
        return false;
      }
      better |= gain > 0;
    }
    return better;
  }

  /** The front. */
  public List<Machine> front() {
    return machines.stream().filter(Machine::best).toList();
  }
}
