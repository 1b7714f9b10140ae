package dev.warpline.cli.results;

import dev.warpline.cli.ExitCode;
import dev.warpline.engine.WholeFile;
import dev.warpline.study.explore.Pareto;
import dev.warpline.study.explore.ParetoPlot;
import dev.warpline.study.explore.ResultTable;
import dev.warpline.study.sweep.Expression;
import java.io.IOException;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
final class ParetoResults implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "STORE", description = "What 'warpline sweep' wrote.")
  Path store;

  @Mixin RowChoice choice;

  @Mixin RowOutput output;

  @Option(
      names = "--least",
      paramLabel = "FORMULA",
      converter = FormulaConverter.class,
      description = {
        "What there should be little of, e.g. microseconds, or a cost like \"sm.count +"
            + " flowMemory.l2MiB / 2\". Repeatable."
      })
  List<Expression> least = new ArrayList<>();

  @Option(
      names = "--most",
      paramLabel = "FORMULA",
      converter = FormulaConverter.class,
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
