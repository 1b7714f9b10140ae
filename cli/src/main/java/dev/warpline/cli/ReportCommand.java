package dev.warpline.cli;

import dev.warpline.engine.WholeFile;
import dev.warpline.web.report.Baseline;
import dev.warpline.web.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes the page of results that are there already. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Make the page of a result that run --json --profile wrote, without simulating again; with"
          + " --baseline beside others: two GPUs, two versions of a kernel, before and after."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class ReportCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RESULT.json", description = "What run --json wrote.")
  Path result;

  @Option(
      names = "--baseline",
      paramLabel = "FILE.json",
      description = "An earlier result to compare with; repeatable.")
  List<Path> baselines = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE.html",
      required = true,
      description = "The page: one file, no network needed.")
  Path output;

  @Override
  public Integer call() throws IOException {
    Baseline run = Baseline.read(result);
    List<Baseline> others = new ArrayList<>();
    for (Path file : baselines) {
      others.add(Baseline.read(file));
    }
    WholeFile.check(output);
    PrintWriter out = spec.commandLine().getOut();
    for (Baseline other : others) {
      WhatIfText.baseline(other, run.run(), out);
    }
    out.flush();
    Report.write(run.run(), run.title(), others, output);
    return ExitCode.OK;
  }
}
