package dev.warpline.cli.results;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Rows as text for people. */
final class TextTable {
  private TextTable() {}

  /** Prints a table with columns as wide as they need. */
  static void print(List<Map<String, Object>> rows, PrintWriter out) {
    Set<String> names = new LinkedHashSet<>();
    rows.forEach(row -> names.addAll(row.keySet()));
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.copyOf(names));
    rows.forEach(row -> lines.add(names.stream().map(name -> text(row.get(name))).toList()));
    int[] widths = new int[names.size()];
    lines.forEach(
        line -> {
          for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], line.get(i).length());
          }
        });
    boolean head = true;
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        boolean number = head ? i > 0 : line.get(i).matches("[-0-9].*");
        String pad = " ".repeat(widths[i] - line.get(i).length());
        text.append(i == 0 ? "" : "  ").append(number ? pad + line.get(i) : line.get(i) + pad);
      }
      out.println(text.toString().stripTrailing());
      head = false;
    }
    out.flush();
  }

  private static String text(Object value) {
    if (value == null) {
      return "";
    }
    if (!(value instanceof Double number)) {
      return value.toString();
    }
    return Math.abs(number) >= 1000
        ? String.format(Locale.ROOT, "%.0f", number)
        : String.format(Locale.ROOT, "%.4g", number);
  }
}
