package dev.warpline.study.explore;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.Nearest;
import dev.warpline.study.store.Entry;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Expression;
import dev.warpline.study.sweep.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The results of a study, one row per point: what it is, what came of it, and its counters summed
 * over the kernels.
 *
 * @param study its name
 * @param varied names of the fields that it varies
 * @param entries the points, in the order of the study
 */
public record ResultTable(String study, Set<String> varied, List<Row> entries) {
  /**
   * A point.
   *
   * @param cells by column
   */
  public record Row(Entry entry, Map<String, Object> cells) {
    /** A column, or a field of the point's GPU; null if it has neither. */
    public Object get(String name) {
      Object cell = cells.get(name);
      return cell == null ? Values.field(entry.configuration(), name) : cell;
    }

    /** Whether its result is an estimate with an interval. */
    public boolean isSampled() {
      return entry.result() != null && entry.result().sampling() != null;
    }

    /** What the row is, apart from the trace: GPU, core and the varied fields. */
    public List<Object> machine() {
      List<Object> key = new ArrayList<>(List.of(entry.member().gpu(), entry.member().core()));
      key.addAll(entry.member().values().entrySet());
      return key;
    }
  }

  /**
   * Reads a study.
   *
   * @param name null for the only one of the store
   */
  public static ResultTable of(ResultStore store, String name) throws IOException {
    List<String> names = store.studies().stream().map(ResultStore.Known::name).toList();
    if (name == null && names.size() != 1) {
      throw new DescriptionException(
          store.file()
              + (names.isEmpty()
                  ? ": found no study"
                  : ": found the studies "
                      + String.join(", ", names)
                      + ", expected --study with one of them"));
    }
    String study = name == null ? names.get(0) : name;
    if (!names.contains(study)) {
      throw new DescriptionException(
          store.file()
              + ": found no study "
              + study
              + Nearest.hint(study, names)
              + ", expected one of "
              + String.join(", ", names));
    }
    Set<String> varied = new LinkedHashSet<>();
    List<Row> rows = new ArrayList<>();
    for (Entry entry : store.entries(study)) {
      varied.addAll(entry.member().values().keySet());
      rows.add(new Row(entry, cells(entry)));
    }
    return new ResultTable(study, varied, rows);
  }

  private static Map<String, Object> cells(Entry entry) {
    Map<String, Object> cells = new LinkedHashMap<>();
    cells.put("point", entry.member().number());
    cells.put("trace", entry.member().trace());
    cells.put("gpu", entry.member().gpu());
    cells.put("core", entry.member().core());
    entry.member().values().forEach((field, value) -> cells.put(field, Values.of(value)));
    if (entry.result() == null) {
      cells.put("state", entry.state().name().toLowerCase(java.util.Locale.ROOT));
      if (entry.message() != null) {
        cells.put("message", entry.message());
      }
      return cells;
    }
    RunResult run = entry.result();
    long instructions = run.kernels().stream().mapToLong(KernelResult::warpInstructions).sum();
    cells.put("cycles", run.cycles());
    cells.put("microseconds", run.microseconds());
    if (run.sampling() != null) {
      long low = run.sampling().low(run.cycles());
      long high = run.sampling().high(run.cycles());
      cells.put("cycles.low", low);
      cells.put("cycles.high", high);
      cells.put("microseconds.low", run.microseconds(low));
      cells.put("microseconds.high", run.microseconds(high));
    }
    cells.put("kernels", (long) run.kernels().size());
    cells.put("warp_instructions", instructions);
    cells.put("ipc", run.cycles() == 0 ? 0.0 : (double) instructions / run.cycles());
    cells.put("seconds", entry.seconds());
    if (run.energy() != null) {
      cells.putAll(run.energy().columns());
    }
    Map<String, Object> sums = new LinkedHashMap<>();
    for (KernelResult kernel : run.kernels()) {
      kernel
          .statistics()
          .forEach(
              (name, value) -> {
                if (!name.startsWith("launch.")) {
                  sums.merge(name, value, ResultTable::sum);
                }
              });
      kernel.stalls().forEach((why, count) -> sums.merge("stall." + why, count, ResultTable::sum));
    }
    sums.forEach(cells::putIfAbsent);
    return cells;
  }

  private static Object sum(Object a, Object b) {
    boolean whole = !(a instanceof Double) && !(b instanceof Double);
    return whole
        ? (Object) (((Number) a).longValue() + ((Number) b).longValue())
        : (Object) (((Number) a).doubleValue() + ((Number) b).doubleValue());
  }

  /** Rows by column name, as they are written to files. */
  public List<Map<String, Object>> rows() {
    return entries.stream().map(Row::cells).toList();
  }

  /** The points that have a result. */
  public ResultTable done() {
    return new ResultTable(
        study, varied, entries.stream().filter(row -> row.entry().result() != null).toList());
  }

  /** The points that have none and never will. */
  public ResultTable failed() {
    return new ResultTable(
        study,
        varied,
        entries.stream().filter(row -> row.entry().state() == Entry.State.FAILED).toList());
  }

  /** The points for which a formula holds. */
  public ResultTable where(Expression formula) throws IOException {
    check(formula);
    try {
      return new ResultTable(
          study, varied, entries.stream().filter(row -> formula.holds(row::get)).toList());
    } catch (IllegalArgumentException e) {
      throw new DescriptionException(e.getMessage());
    }
  }

  /** Whether some row has a column or a field of that name; a formula is none. */
  public boolean has(String name) {
    return entries.stream().anyMatch(row -> row.cells().containsKey(name))
        || name.matches("[\\w.\\[\\]]+")
            && entries.stream().anyMatch(row -> row.entry().configuration().containsKey(name));
  }

  /** Refuses a formula with a name that no row has. */
  public void check(Expression formula) throws IOException {
    check(formula.names());
  }

  /** Refuses names that no row has. */
  public void check(Collection<String> names) throws IOException {
    for (String name : names) {
      if (!entries.isEmpty() && !has(name)) {
        Set<String> known = new LinkedHashSet<>();
        entries.forEach(row -> known.addAll(row.cells().keySet()));
        known.addAll(entries.get(0).entry().configuration().keySet());
        throw new DescriptionException(
            study + ": no point has \"" + name + "\"" + Nearest.hint(name, known));
      }
    }
  }
}
