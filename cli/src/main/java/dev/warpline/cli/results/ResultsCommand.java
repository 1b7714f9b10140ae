package dev.warpline.cli.results;

import dev.warpline.cli.ExitCode;
import dev.warpline.engine.WholeFile;
import dev.warpline.study.explore.Aggregate;
import dev.warpline.study.explore.Pivot;
import dev.warpline.study.explore.ResultTable;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Expression;
import dev.warpline.web.report.StudyPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what came of a study. */
@Command(
    name = "results",
    mixinStandardHelpOptions = true,
    description = {
      "Show the results of a study: filtered, as a table of two columns against each other, as a"
          + " file. docs/studies.md has examples."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    subcommands = {CompareResults.class, SensitivityResults.class, ParetoResults.class})
public final class ResultsCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "STORE", arity = "0..1", description = "What 'warpline sweep' wrote.")
  Path store;

  @Mixin RowChoice choice;

  @Mixin RowOutput output;

  @Option(
      names = "--columns",
      paramLabel = "NAME[,NAME...]",
      split = ",",
      description = {
        "Columns: counters, fields of the GPU or formulas over them (default: what varies, cycles,"
            + " time, IPC; files have all counters)."
      })
  List<String> columns;

  @Option(
      names = "--pivot",
      paramLabel = "ROW,COLUMN[,VALUE]",
      split = ",",
      description = {
        "A table of one column against another, e.g. trace,sm.count,microseconds (VALUE may be a"
            + " formula; default: microseconds)."
      })
  List<String> pivot;

  @Option(
      names = "--by",
      paramLabel = "WORD",
      description = {
        "What --pivot makes of several points in a cell: ${COMPLETION-CANDIDATES} (default:"
            + " ${DEFAULT-VALUE})."
      })
  Aggregate by = Aggregate.GEOMEAN;

  @Option(
      names = "--sort",
      paramLabel = "FORMULA",
      converter = FormulaConverter.class,
      description = "Order of the rows, least first.")
  Expression sort;

  @Option(names = "--failed", description = "Points that failed, and why.")
  boolean failed;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = {
        "Write a page with plots of all points, for the browser: one file, no network needed."
      })
  Path html;

  @Override
  public Integer call() throws IOException {
    if (store == null) {
      throw new ParameterException(spec.commandLine(), "Missing required parameter: 'STORE'");
    }
    if (html != null) {
      return page();
    }
    ResultTable whole = choice.read(store);
    if (failed) {
      output.show(chosen(whole.failed(), List.of("point", "trace", "gpu", "core", "message")));
      return ExitCode.OK;
    }
    ResultTable table = whole.done();
    if (pivot != null) {
      if (pivot.size() < 2 || pivot.size() > 3) {
        throw new ParameterException(spec.commandLine(), "--pivot: expected ROW,COLUMN[,VALUE]");
      }
      Expression value =
          new FormulaConverter().convert(pivot.size() > 2 ? pivot.get(2) : "microseconds");
      output.show(Pivot.of(table, pivot.get(0), pivot.get(1), value, by));
      return ExitCode.OK;
    }
    if (sort != null) {
      table.check(sort);
      List<ResultTable.Row> rows = new ArrayList<>(table.entries());
      rows.sort(Comparator.comparing(row -> sort.number(row::get)));
      table = new ResultTable(table.study(), table.varied(), rows);
    }
    if (columns == null && output.write(table.rows())) {
      return ExitCode.OK;
    }
    List<String> names = columns;
    if (names == null) {
      names = new ArrayList<>(List.of("point", "trace", "gpu", "core"));
      names.addAll(table.varied());
      names.add("cycles");
      if (table.has("cycles.low")) {
        names.addAll(List.of("cycles.low", "cycles.high"));
      }
      names.addAll(List.of("microseconds", "ipc"));
    }
    output.show(chosen(table, names));
    if (output.isText()) {
      long open = whole.entries().size() - table.entries().size() - whole.failed().entries().size();
      spec.commandLine()
          .getOut()
          .printf(
              Locale.ROOT,
              "%,d points, %,d failed, %,d not simulated yet%n",
              whole.entries().size(),
              whole.failed().entries().size(),
              open);
    }
    return ExitCode.OK;
  }

  private int page() throws IOException {
    if (!choice.where.isEmpty() || !output.isText() || columns != null || pivot != null || failed) {
      throw new ParameterException(
          spec.commandLine(), "--html has all points and filters them itself: expected it alone");
    }
    WholeFile.check(html);
    try (ResultStore opened = ResultStore.read(store)) {
      StudyPage.write(opened, choice.study, html);
    }
    return ExitCode.OK;
  }

  /** Some columns, each a name or a formula. */
  private static List<Map<String, Object>> chosen(ResultTable table, List<String> names)
      throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    table.entries().forEach(row -> rows.add(new LinkedHashMap<>()));
    for (String name : names) {
      boolean plain = table.has(name);
      Expression formula = plain ? null : new FormulaConverter().convert(name);
      if (formula != null) {
        table.check(formula);
      }
      for (int i = 0; i < rows.size(); i++) {
        ResultTable.Row row = table.entries().get(i);
        rows.get(i).put(name, plain ? row.get(name) : (Object) formula.number(row::get));
      }
    }
    return rows;
  }
}
