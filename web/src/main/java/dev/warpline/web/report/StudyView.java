package dev.warpline.web.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.Sampling;
import dev.warpline.study.explore.ResultTable;
import dev.warpline.study.store.Entry;
import dev.warpline.study.store.Member;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A study as its page wants it: a column per number, each written as briefly as it can be. A file
 * of thousands of points keeps as many counters as a size budget allows and names the others.
 */
public final class StudyView {
  /** Characters of numbers that a page carries. */
  static final int BUDGET = 24_000_000;

  /** Digits that a fraction is written with. */
  private static final MathContext DIGITS = new MathContext(9);

  private static final Set<String> IDENTITY = Set.of("point", "trace", "gpu", "core");
  private static final Set<String> RESULTS =
      Set.of("cycles", "microseconds", "kernels", "warp_instructions", "ipc", "seconds");
  private static final ObjectMapper JSON = new ObjectMapper();

  private StudyView() {}

  /**
   * The data of a study as JSON.
   *
   * @param name null for the only one of the store
   */
  public static String of(ResultStore store, String name) throws IOException {
    return of(store, name, BUDGET);
  }

  static String of(ResultStore store, String name, int budget) throws IOException {
    ResultTable all = ResultTable.of(store, name);
    ResultTable done = all.done();
    ResultStore.Known study =
        store.studies().stream().filter(s -> s.name().equals(all.study())).findFirst().get();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("study", all.study());
    view.put("store", store.file().getFileName().toString());
    view.put("build", study.build());
    view.put("points", done.entries().size());
    view.put("open", all.entries().size() - done.entries().size() - all.failed().entries().size());
    view.put("varied", all.varied());
    view.put("failed", failed(all.failed()));
    List<String> columns = new ArrayList<>();
    List<String> left = new ArrayList<>();
    long size = 0;
    for (Map.Entry<String, List<Object>> column : columns(done).entrySet()) {
      String text = column(column.getKey(), column.getValue(), all.varied());
      if (size + text.length() > budget) {
        left.add(column.getKey());
      } else {
        size += text.length();
        columns.add(text);
      }
    }
    columns.addAll(commands(done, store.points(all.study())));
    view.put("left", left);
    String head = JSON.writeValueAsString(view);
    return head.substring(0, head.length() - 1)
        + ",\"columns\":["
        + String.join(",", columns)
        + "]}";
  }

  private static List<Map<String, Object>> failed(ResultTable table) {
    List<Map<String, Object>> failed = new ArrayList<>();
    for (ResultTable.Row row : table.entries()) {
      Entry entry = row.entry();
      Member member = entry.member();
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("point", member.number());
      one.put("trace", member.trace());
      one.put("gpu", member.gpu());
      one.put("core", member.core());
      one.put("values", member.values());
      one.put("message", entry.message());
      failed.add(one);
    }
    return failed;
  }

  private static Map<String, List<Object>> columns(ResultTable table) {
    Map<String, List<Object>> columns = new LinkedHashMap<>();
    int row = 0;
    for (ResultTable.Row point : table.entries()) {
      int rows = row++;
      point
          .cells()
          .forEach(
              (name, value) -> {
                List<Object> cells = columns.computeIfAbsent(name, n -> new ArrayList<>());
                while (cells.size() < rows) {
                  cells.add(null);
                }
                cells.add(value);
              });
    }
    int rows = row;
    columns
        .values()
        .forEach(
            cells -> {
              while (cells.size() < rows) {
                cells.add(null);
              }
            });
    return columns;
  }

  /** What asks the command line for each point again. */
  private static List<String> commands(ResultTable table, Map<String, Point> points)
      throws JsonProcessingException {
    List<Object> commands = new ArrayList<>();
    for (ResultTable.Row row : table.entries()) {
      Entry entry = row.entry();
      commands.add(command(points.get(entry.member().point()), entry.result().sampling()));
    }
    return List.of(column("command", commands, Set.of()));
  }

  /**
   * The words that simulate a point again.
   *
   * @param sampling what its result rests on, null if everything was simulated
   */
  static String command(Point point, Sampling sampling) {
    StringBuilder words = new StringBuilder("./warpline run ").append(quoted(point.trace()));
    words.append(" --gpu ").append(quoted(point.gpu()));
    if (!point.core().equals("gcn")) {
      words.append(" --core ").append(point.core());
    }
    point.settings().forEach(setting -> words.append(" --set ").append(quoted(setting)));
    if (sampling != null) {
      words.append(" --sample ").append(sampling.asked());
    }
    if (!point.kernels().isEmpty()) {
      words.append(" --kernel ").append(quoted(String.join(",", point.kernels())));
    }
    if (point.maxCycles() > 0) {
      words.append(" --max-cycles ").append(point.maxCycles());
    }
    return words.toString();
  }

  private static String quoted(String word) {
    return word.matches("[\\w./=:,+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** A column: one value if it has no other, indices where values repeat, or all of them. */
  private static String column(String name, List<Object> cells, Set<String> varied)
      throws JsonProcessingException {
    boolean number = cells.stream().allMatch(cell -> cell == null || cell instanceof Number);
    String group = varied.contains(name) ? "varied" : group(name);
    StringBuilder text = new StringBuilder();
    text.append("{\"name\":").append(JSON.writeValueAsString(name));
    text.append(",\"kind\":\"").append(number ? "number" : "text");
    text.append("\",\"group\":\"").append(group).append('"');
    Map<String, Integer> words = new LinkedHashMap<>();
    List<String> texts = new ArrayList<>();
    for (Object cell : cells) {
      String value = value(cell);
      words.putIfAbsent(value, words.size());
      texts.add(value);
    }
    if (words.size() == 1) {
      text.append(",\"same\":").append(texts.get(0));
    } else if (!number || words.size() <= Math.max(2, cells.size() / 8)) {
      text.append(",\"words\":[").append(String.join(",", words.keySet())).append("],\"at\":[");
      for (int i = 0; i < texts.size(); i++) {
        text.append(i == 0 ? "" : ",").append(words.get(texts.get(i)));
      }
      text.append(']');
    } else {
      text.append(",\"values\":[").append(String.join(",", texts)).append(']');
    }
    return text.append('}').toString();
  }

  private static String group(String name) {
    if (IDENTITY.contains(name)) {
      return "point";
    }
    if (RESULTS.contains(name)) {
      return "result";
    }
    if (RESULTS.contains(name.replaceFirst("\\.(low|high)$", ""))) {
      return "interval";
    }
    return name.equals("command") ? name : "counter";
  }

  private static String value(Object cell) throws JsonProcessingException {
    if (cell instanceof Double number) {
      return Double.isFinite(number)
          ? new BigDecimal(number).round(DIGITS).stripTrailingZeros().toString()
          : "null";
    }
    return JSON.writeValueAsString(cell);
  }
}
