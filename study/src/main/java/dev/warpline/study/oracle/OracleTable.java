package dev.warpline.study.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Another simulator's results: a CSV file with a header and one row per workload. */
public final class OracleTable {
  /**
   * One workload's results.
   *
   * @param workload name of its trace
   * @param values numbers by column name
   */
  public record Row(String workload, Map<String, Double> values) {
    /** A column's number, NaN if the table lacks it. */
    public double get(String column) {
      return values.getOrDefault(column, Double.NaN);
    }
  }

  private final List<Row> rows;

  private OracleTable(List<Row> rows) {
    this.rows = rows;
  }

  public List<Row> rows() {
    return rows;
  }

  /** Reads a table; it needs the columns {@code workload} and {@code cycles}. */
  public static OracleTable read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty()) {
      throw new IOException(file + ": empty, expected a CSV file with a header");
    }
    String[] header = lines.get(0).split(",", -1);
    int name = List.of(header).indexOf("workload");
    if (name < 0 || !List.of(header).contains("cycles")) {
      throw new IOException(
          file + ":1: found the columns " + lines.get(0) + ", expected workload and cycles");
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).isBlank()) {
        continue;
      }
      String[] cells = lines.get(i).split(",", -1);
      if (cells.length != header.length) {
        throw new IOException(
            file + ":" + (i + 1) + ": found " + cells.length + " cells, expected " + header.length);
      }
      Map<String, Double> values = new LinkedHashMap<>();
      for (int c = 0; c < cells.length; c++) {
        if (c != name && !cells[c].isBlank()) {
          values.put(header[c], number(cells[c], file, i + 1, header[c]));
        }
      }
      rows.add(new Row(cells[name], values));
    }
    return new OracleTable(rows);
  }

  private static double number(String cell, Path file, int line, String column) throws IOException {
    try {
      return Double.parseDouble(cell);
    } catch (NumberFormatException e) {
      throw new IOException(
          file + ":" + line + ": column " + column + ": found " + cell + ", expected a number", e);
    }
  }
}
