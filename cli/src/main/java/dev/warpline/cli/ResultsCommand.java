package dev.warpline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.warpline.engine.Results;
import dev.warpline.engine.WholeFile;
import dev.warpline.study.explore.Aggregate;
import dev.warpline.study.explore.Pareto;
import dev.warpline.study.explore.ParetoPlot;
import dev.warpline.study.explore.Pivot;
import dev.warpline.study.explore.ResultTable;
import dev.warpline.study.explore.Sensitivity;
import dev.warpline.study.explore.StudyComparison;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Expression;
import dev.warpline.study.sweep.Study;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

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
    subcommands = {
      ResultsCommand.CompareStudies.class,
      ResultsCommand.ShowSensitivity.class,
      ResultsCommand.ShowPareto.class
    })
final class ResultsCommand implements Callable<Integer> {
  private static final String STANDARD_OUTPUT = "-";

  /** Reads a formula. */
  static final class Formula implements ITypeConverter<Expression> {
    @Override
    public Expression convert(String text) {
      try {
        return new Expression(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Which points of a store; a mixin of every command that reads one. */
  static final class Choice {
    @Option(
        names = "--study",
        paramLabel = "NAME",
        description = "Which study (default: the only one of the store).")
    String study;

    @Option(
        names = "--where",
        paramLabel = "FORMULA",
        converter = Formula.class,
        description = {
          "Only points for which it holds, e.g. \"sm.count > 16 and trace ~ 'gemm'\". Repeatable."
        })
    List<Expression> where = new ArrayList<>();

    ResultTable filtered(ResultTable table) throws IOException {
      ResultTable rows = table;
      for (Expression formula : where) {
        rows = rows.where(formula);
      }
      return rows;
    }

    ResultTable read(Path store) throws IOException {
      try (ResultStore opened = ResultStore.read(store)) {
        return filtered(ResultTable.of(opened, study));
      }
    }
  }

  /** Where a table goes; a mixin of every command that has one. */
  static final class Output {
    @Spec(Spec.Target.MIXEE)
    CommandSpec command;

    @Option(
        names = "--csv",
        paramLabel = "FILE|-",
        description = "Write the rows as CSV; - writes them to standard output.")
    String csv;

    @Option(
        names = "--json",
        paramLabel = "FILE|-",
        description = "Write the rows as JSON; - writes them to standard output.")
    String json;

    @Option(
        names = "--parquet",
        paramLabel = "FILE",
        description = "Write the rows as an Apache Parquet file.")
    Path parquet;

    /** Writes the files that were asked for; false if none was, so that text is to be printed. */
    boolean write(List<Map<String, Object>> rows) throws IOException {
      if (csv != null) {
        to(csv, out -> Results.writeCsv(rows, out));
      }
      if (json != null) {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        to(json, out -> out.write(mapper.writeValueAsString(rows) + "\n"));
      }
      if (parquet != null) {
        Results.writeParquet(rows, parquet);
      }
      return !isText();
    }

    /** Whether no file was asked for. */
    boolean isText() {
      return csv == null && json == null && parquet == null;
    }

    private interface Text {
      void write(Writer out) throws IOException;
    }

    private void to(String target, Text text) throws IOException {
      if (target.equals(STANDARD_OUTPUT)) {
        PrintWriter out = command.commandLine().getOut();
        text.write(out);
        out.flush();
        return;
      }
      WholeFile.write(
          Path.of(target),
          stream -> {
            Writer out = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
            text.write(out);
            out.flush();
          });
    }

    /** Writes files, or prints a table for people. */
    void show(List<Map<String, Object>> rows) throws IOException {
      if (!write(rows)) {
        print(rows, command.commandLine().getOut());
      }
    }
  }

  @Spec CommandSpec spec;

  @Parameters(paramLabel = "STORE", arity = "0..1", description = "What 'warpline sweep' wrote.")
  Path store;

  @Mixin Choice choice;

  @Mixin Output output;

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
      converter = Formula.class,
      description = "Order of the rows, least first.")
  Expression sort;

  @Option(names = "--failed", description = "Points that failed, and why.")
  boolean failed;

  @Override
  public Integer call() throws IOException {
    if (store == null) {
      throw new ParameterException(spec.commandLine(), "Missing required parameter: 'STORE'");
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
      Expression value = new Formula().convert(pivot.size() > 2 ? pivot.get(2) : "microseconds");
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
      names.addAll(List.of("cycles", "microseconds", "ipc"));
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

  /** Some columns, each a name or a formula. */
  private static List<Map<String, Object>> chosen(ResultTable table, List<String> names)
      throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    table.entries().forEach(row -> rows.add(new LinkedHashMap<>()));
    for (String name : names) {
      boolean plain = table.entries().stream().anyMatch(row -> row.get(name) != null);
      Expression formula = plain ? null : new Formula().convert(name);
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
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        boolean number = line.get(i).matches("[-0-9].*") || lines.indexOf(line) == 0 && i > 0;
        String pad = " ".repeat(widths[i] - line.get(i).length());
        text.append(i == 0 ? "" : "  ").append(number ? pad + line.get(i) : line.get(i) + pad);
      }
      out.println(text.toString().stripTrailing());
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

  /** Compares two studies. */
  @Command(
      name = "compare",
      mixinStandardHelpOptions = true,
      description = {
        "Compare two stores point by point: same trace, GPU, core and varied values. Prints how"
            + " many differ, the geometric mean of B / A and the largest differences."
      },
      parameterListHeading = "%nParameters:%n",
      optionListHeading = "%nOptions:%n")
  static final class CompareStudies implements Callable<Integer> {
    private static final int SHOWN = 20;

    @Spec CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A", description = "A store.")
    Path a;

    @Parameters(index = "1", paramLabel = "B", description = "Another, or the same.")
    Path b;

    @Mixin Choice choice;

    @Mixin Output output;

    @Option(
        names = "--with",
        paramLabel = "NAME",
        description = "The study of B (default: as --study, or the only one).")
    String with;

    @Option(
        names = "--metric",
        paramLabel = "FORMULA",
        converter = Formula.class,
        defaultValue = "cycles",
        description = "What is compared (default: ${DEFAULT-VALUE}).")
    Expression metric;

    @Override
    public Integer call() throws IOException {
      ResultTable one = choice.read(a).done();
      choice.study = with == null ? choice.study : with;
      ResultTable other = choice.read(b).done();
      StudyComparison comparison = StudyComparison.of(one, other, metric);
      List<Map<String, Object>> rows = new ArrayList<>();
      for (StudyComparison.Pair pair : comparison.pairs()) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (String name : List.of("trace", "gpu", "core")) {
          row.put(name, pair.point().get(name));
        }
        one.varied().forEach(field -> row.put(field, pair.point().get(field)));
        row.put("A", pair.a());
        row.put("B", pair.b());
        row.put("B/A", pair.ratio());
        rows.add(row);
      }
      if (output.write(rows)) {
        return ExitCode.OK;
      }
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          Locale.ROOT,
          "%s: %,d points in both, %,d of them different, B/A %.4f (geometric mean);"
              + " %,d only in A, %,d only in B%n",
          metric,
          rows.size(),
          comparison.different(),
          comparison.mean(),
          comparison.onlyA(),
          comparison.onlyB());
      int shown = (int) Math.min(SHOWN, comparison.different());
      if (shown > 0) {
        print(rows.subList(0, shown), out);
      }
      out.flush();
      return ExitCode.OK;
    }
  }

  /** Ranks the fields of a sensitivity study. */
  @Command(
      name = "sensitivity",
      mixinStandardHelpOptions = true,
      description = {
        "Rank the fields of a study with a section 'sensitivity' by how much they move a number."
      },
      parameterListHeading = "%nParameters:%n",
      optionListHeading = "%nOptions:%n")
  static final class ShowSensitivity implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Parameters(paramLabel = "STORE", description = "What 'warpline sweep' wrote.")
    Path store;

    @Mixin Choice choice;

    @Mixin Output output;

    @Option(
        names = "--metric",
        paramLabel = "FORMULA",
        converter = Formula.class,
        defaultValue = "microseconds",
        description = "What is moved (default: ${DEFAULT-VALUE}).")
    Expression metric;

    @Override
    public Integer call() throws IOException {
      List<Map<String, Object>> rows = new ArrayList<>();
      try (ResultStore opened = ResultStore.read(store)) {
        ResultTable all = ResultTable.of(opened, choice.study);
        ResultStore.Known known =
            opened.studies().stream().filter(s -> s.name().equals(all.study())).findFirst().get();
        Study study = Study.parse(known.text(), Path.of(known.file()));
        if (study.design() == null) {
          throw new IOException(
              store + ": the study " + all.study() + " has no section sensitivity");
        }
        boolean morris = study.design().method() == dev.warpline.study.sweep.Design.Method.MORRIS;
        Sensitivity.of(choice.filtered(all), study.design(), metric)
            .forEach(
                (group, effects) -> {
                  for (Sensitivity.Effect effect : effects) {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("points of", group);
                    row.put("field", effect.field());
                    row.put(morris ? "mu*" : "alone", effect.first());
                    row.put(morris ? "sigma" : "total", effect.second());
                    rows.add(row);
                  }
                });
      }
      output.show(rows);
      return ExitCode.OK;
    }
  }

  /** Finds the machines that no other beats. */
  @Command(
      name = "pareto",
      mixinStandardHelpOptions = true,
      description = {
        "Print the machines that no other beats in every respect. Over several traces the geometric"
            + " mean counts."
      },
      parameterListHeading = "%nParameters:%n",
      optionListHeading = "%nOptions:%n")
  static final class ShowPareto implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Parameters(paramLabel = "STORE", description = "What 'warpline sweep' wrote.")
    Path store;

    @Mixin Choice choice;

    @Mixin Output output;

    @Option(
        names = "--least",
        paramLabel = "FORMULA",
        converter = Formula.class,
        description = {
          "What there should be little of, e.g. microseconds, or a cost like \"sm.count +"
              + " flowMemory.l2MiB / 2\". Repeatable."
        })
    List<Expression> least = new ArrayList<>();

    @Option(
        names = "--most",
        paramLabel = "FORMULA",
        converter = Formula.class,
        description = "What there should be much of. Repeatable.")
    List<Expression> most = new ArrayList<>();

    @Option(names = "--all", description = "Print the machines that are beaten, too.")
    boolean all;

    @Option(
        names = "--svg",
        paramLabel = "FILE",
        description = "Draw the first two objectives; every browser shows the file.")
    Path svg;

    @Override
    public Integer call() throws IOException {
      List<Pareto.Objective> objectives = new ArrayList<>();
      least.forEach(formula -> objectives.add(new Pareto.Objective(formula, false)));
      most.forEach(formula -> objectives.add(new Pareto.Objective(formula, true)));
      if (objectives.size() < 2) {
        throw new ParameterException(
            spec.commandLine(), "expected two objectives at least: --least and --most");
      }
      ResultTable table = choice.read(store);
      Pareto pareto = Pareto.of(table, objectives);
      if (pareto.machines().isEmpty()) {
        throw new IOException(store + ": no machine has results of all traces");
      }
      if (svg != null) {
        WholeFile.writeText(svg, new ParetoPlot(pareto).svg());
      }
      List<Map<String, Object>> rows = new ArrayList<>();
      for (Pareto.Machine machine : all ? pareto.machines() : pareto.front()) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("gpu", machine.point().get("gpu"));
        row.put("core", machine.point().get("core"));
        table.varied().forEach(field -> row.put(field, machine.point().get(field)));
        for (int i = 0; i < objectives.size(); i++) {
          row.put(objectives.get(i).formula().toString(), machine.values()[i]);
        }
        if (all) {
          row.put("front", machine.best() ? "yes" : "");
        }
        rows.add(row);
      }
      output.show(rows);
      if (output.isText()) {
        spec.commandLine()
            .getOut()
            .printf(
                Locale.ROOT,
                "%,d of %,d machines are on the front%s%n",
                pareto.front().size(),
                pareto.machines().size(),
                pareto.incomplete() == 0
                    ? ""
                    : String.format(
                        Locale.ROOT, "; %,d lack results and are left out", pareto.incomplete()));
      }
      return ExitCode.OK;
    }
  }
}
