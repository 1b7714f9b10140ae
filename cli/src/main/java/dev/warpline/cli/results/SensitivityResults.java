package dev.warpline.cli.results;

import dev.warpline.cli.ExitCode;
import dev.warpline.study.explore.ResultTable;
import dev.warpline.study.explore.Sensitivity;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Design;
import dev.warpline.study.sweep.Expression;
import dev.warpline.study.sweep.Study;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Ranks the fields of a sensitivity study. */
@Command(
    name = "sensitivity",
    mixinStandardHelpOptions = true,
    description = {
      "Rank the fields of a study with a section 'sensitivity' by how much they move a number."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class SensitivityResults implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "STORE", description = "What 'warpline sweep' wrote.")
  Path store;

  @Mixin RowChoice choice;

  @Mixin RowOutput output;

  @Option(
      names = "--metric",
      paramLabel = "FORMULA",
      converter = FormulaConverter.class,
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
        throw new IOException(store + ": the study " + all.study() + " has no section sensitivity");
      }
      boolean morris = study.design().method() == Design.Method.MORRIS;
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
