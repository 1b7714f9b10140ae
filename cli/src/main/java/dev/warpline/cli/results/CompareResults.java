package dev.warpline.cli.results;

import dev.warpline.cli.ExitCode;
import dev.warpline.study.explore.ResultTable;
import dev.warpline.study.explore.StudyComparison;
import dev.warpline.study.sweep.Expression;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
final class CompareResults implements Callable<Integer> {
  private static final int SHOWN = 20;

  @Spec CommandSpec spec;

  @Parameters(index = "0", paramLabel = "A", description = "A store.")
  Path a;

  @Parameters(index = "1", paramLabel = "B", description = "Another, or the same.")
  Path b;

  @Mixin RowChoice choice;

  @Mixin RowOutput output;

  @Option(
      names = "--with",
      paramLabel = "NAME",
      description = "The study of B (default: as --study, or the only one).")
  String with;

  @Option(
      names = "--metric",
      paramLabel = "FORMULA",
      converter = FormulaConverter.class,
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
      TextTable.print(rows.subList(0, shown), out);
    }
    out.flush();
    return ExitCode.OK;
  }
}
