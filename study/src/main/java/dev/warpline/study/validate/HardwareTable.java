package dev.warpline.study.validate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Counters of a real GPU: a CSV file with a header, one row per kernel. */
public final class HardwareTable {
  /**
   * One kernel's counters.
   *
   * @param workload name of the trace
   * @param kernelId position in the trace's list, from 1
   * @param values cells by column name
   */
  public record Row(String workload, int kernelId, Map<String, String> values) {
    /** A column's number, empty if the column is absent or blank. */
    public OptionalDouble number(String column) {
      String text = values.get(column);
      if (text == null || text.isBlank()) {
        return OptionalDouble.empty();
      }
      try {
        return OptionalDouble.of(Double.parseDouble(text));
      } catch (NumberFormatException e) {
        return OptionalDouble.empty();
      }
    }
  }

  private final List<Row> rows;

  private HardwareTable(List<Row> rows) {
    this.rows = rows;
  }

  public List<Row> rows() {
    return rows;
  }

  /** Names of the workloads that match, in table order. */
  public List<String> workloads(Pattern only) {
    return rows.stream()
        .map(Row::workload)
        .distinct()
        .filter(name -> only.matcher(name).find())
        .toList();
  }

  /** Reads a table; needs the columns {@code workload} and {@code cycles_median}. */
  public static HardwareTable read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty()) {
      throw new IOException(file + ": empty, expected a CSV file with a header");
    }
    List<String> header = cells(lines.get(0));
    for (String needed : List.of("workload", "cycles_median")) {
      if (!header.contains(needed)) {
        throw new IOException(
            file + ":1: found the columns " + header + ", expected one named " + needed);
      }
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).isBlank()) {
        continue;
      }
      List<String> cells = cells(lines.get(i));
      if (cells.size() != header.size()) {
        throw new IOException(
            file
                + ":"
                + (i + 1)
                + ": found "
                + cells.size()
                + " cells, expected "
                + header.size()
                + " as in the header");
      }
      Map<String, String> values = new LinkedHashMap<>();
      for (int k = 0; k < cells.size(); k++) {
        values.put(header.get(k), cells.get(k));
      }
      Row row = new Row(values.get("workload"), kernelId(values, file, i + 1), values);
      if (row.number("cycles_median").isEmpty()) {
        throw new IOException(
            file
                + ":"
                + (i + 1)
                + ": cycles_median is \""
                + values.get("cycles_median")
                + "\", expected a number");
      }
      rows.add(row);
    }
    return new HardwareTable(rows);
  }

  private static int kernelId(Map<String, String> values, Path file, int line) throws IOException {
    String text = values.getOrDefault("kernel_id", "");
    if (text.isBlank()) {
      return 1;
    }
    try {
      return Integer.parseInt(text.trim());
    } catch (NumberFormatException e) {
      throw new IOException(
          file + ":" + line + ": kernel_id is \"" + text + "\", expected a whole number");
    }
  }

  /** Cells of a line; quotes may hold commas, two quotes stand for one. */
  static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        if (quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
          cell.append('"');
          i++;
        } else {
          quoted = !quoted;
        }
      } else if (c == ',' && !quoted) {
        cells.add(cell.toString());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    cells.add(cell.toString());
    return cells;
  }
}
