package dev.warpline.study.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The golden results of one example as a text: for each core a table with a column per GPU and a
 * line per counter, cells parted by tabs.
 *
 * <pre>
 *   modern  h200   h100
 *   cycles  38003  41210
 *   ...
 * </pre>
 */
final class GoldenFile {
  private static final String TAB = "\t";

  private GoldenFile() {}

  static List<GoldenResult> read(Path file) throws IOException {
    List<GoldenResult> all = new ArrayList<>();
    List<Map<String, String>> columns = List.of();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      if (line.isBlank()) {
        columns = List.of();
        continue;
      }
      String[] cells = line.split(TAB, -1);
      if (columns.isEmpty()) {
        columns = new ArrayList<>();
        for (int i = 1; i < cells.length; i++) {
          Map<String, String> values = new LinkedHashMap<>();
          columns.add(values);
          all.add(new GoldenResult(new GoldenResult.Place(cells[i], cells[0]), values));
        }
      } else if (cells.length != columns.size() + 1) {
        throw new IOException(
            file
                + (":" + number + ": found " + cells.length)
                + (" cells, expected " + (columns.size() + 1)));
      } else {
        for (int i = 1; i < cells.length; i++) {
          if (!cells[i].equals("0")) {
            columns.get(i - 1).put(cells[0], cells[i]);
          }
        }
      }
    }
    return all;
  }

  static void write(Path file, List<GoldenResult> results) throws IOException {
    Set<String> cores = new LinkedHashSet<>();
    results.forEach(result -> cores.add(result.place().core()));
    List<String> lines = new ArrayList<>();
    for (String core : cores) {
      List<GoldenResult> columns =
          results.stream().filter(result -> result.place().core().equals(core)).toList();
      Set<String> names = new LinkedHashSet<>();
      columns.forEach(column -> names.addAll(column.values().keySet()));
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.add(line(core, columns.stream().map(column -> column.place().gpu()).toList()));
      for (String name : names) {
        lines.add(line(name, columns.stream().map(column -> column.get(name)).toList()));
      }
    }
    Files.writeString(file, String.join("\n", lines) + "\n");
  }

  private static String line(String first, List<String> others) {
    return first + TAB + String.join(TAB, others);
  }
}
