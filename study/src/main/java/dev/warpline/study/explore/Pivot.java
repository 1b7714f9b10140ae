package dev.warpline.study.explore;

import dev.warpline.study.sweep.Expression;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** A table of two columns of the results against each other. */
public final class Pivot {
  /** Numbers by size, then words by the alphabet. */
  private static final Comparator<Object> ORDER =
      Comparator.comparing((Object value) -> !(value instanceof Number))
          .thenComparing(value -> value instanceof Number n ? n.doubleValue() : 0.0)
          .thenComparing(Object::toString);

  private Pivot() {}

  /**
   * One row per value of one column, with a cell per value of the other.
   *
   * @param value a column or a formula
   * @param by makes one number of the points that fall into a cell
   */
  public static List<Map<String, Object>> of(
      ResultTable table, String row, String column, Expression value, Aggregate by)
      throws IOException {
    table.check(List.of(row, column));
    table.check(value);
    Map<Object, Map<Object, List<Double>>> cells = new TreeMap<>(ORDER);
    TreeSet<Object> columns = new TreeSet<>(ORDER);
    for (ResultTable.Row point : table.entries()) {
      Object r = point.get(row);
      Object c = point.get(column);
      double number = value.number(point::get);
      if (r != null && c != null && !Double.isNaN(number)) {
        columns.add(c);
        cells
            .computeIfAbsent(r, k -> new TreeMap<>(ORDER))
            .computeIfAbsent(c, k -> new ArrayList<>())
            .add(number);
      }
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    cells.forEach(
        (r, line) -> {
          Map<String, Object> cellsOfRow = new LinkedHashMap<>();
          cellsOfRow.put(row + " \\ " + column, r);
          for (Object c : columns) {
            if (line.containsKey(c)) {
              cellsOfRow.put(c.toString(), by.of(line.get(c)));
            }
          }
          rows.add(cellsOfRow);
        });
    // All columns in one order, even where the first row lacks some.
    List<Map<String, Object>> even = new ArrayList<>();
    for (Map<String, Object> line : rows) {
      Map<String, Object> whole = new LinkedHashMap<>();
      whole.put(row + " \\ " + column, line.get(row + " \\ " + column));
      columns.forEach(c -> whole.put(c.toString(), line.get(c.toString())));
      even.add(whole);
    }
    return even;
  }
}
