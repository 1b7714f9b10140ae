package dev.warpline.cli.results;

import dev.warpline.study.explore.ResultTable;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Expression;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which points of a store; a mixin of every command that reads one. */
final class RowChoice {
  @Option(
      names = "--study",
      paramLabel = "NAME",
      description = "Which study (default: the only one of the store).")
  String study;

  @Option(
      names = "--where",
      paramLabel = "FORMULA",
      converter = FormulaConverter.class,
      description = {
        "Only points for which it holds, e.g. \"sm.count > 16 and trace ~ 'gemm'\". Repeatable."
      })
  List<Expression> where = new ArrayList<>();

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  /** Rows of the choice; says so where some are estimates. */
  ResultTable filtered(ResultTable table) throws IOException {
    ResultTable rows = table;
    for (Expression formula : where) {
      rows = rows.where(formula);
    }
    long sampled = rows.entries().stream().filter(ResultTable.Row::isSampled).count();
    if (sampled > 0) {
      command
          .commandLine()
          .getErr()
          .printf(
              Locale.ROOT,
              "%,d of %,d points are sampled: cycles.low and cycles.high are their 95 %% interval%n",
              sampled,
              rows.entries().size());
    }
    return rows;
  }

  ResultTable read(Path store) throws IOException {
    try (ResultStore opened = ResultStore.read(store)) {
      return filtered(ResultTable.of(opened, study));
    }
  }
}
