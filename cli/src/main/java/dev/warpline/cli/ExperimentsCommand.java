package dev.warpline.cli;

import dev.warpline.study.experiment.ExperimentPage;
import dev.warpline.study.experiment.Experiments;
import dev.warpline.study.experiment.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Kernels on changed machines, and whether each does what is expected of it. */
@Command(
    name = "experiments",
    mixinStandardHelpOptions = true,
    description = {
      "Run kernels of different kinds on changed machines and check that each becomes as much"
          + " faster or slower as is expected of it.",
      "",
      "docs/what-if.md is what came out; the rules and kernels are in examples/what-if. Exit code 5"
          + " if an outcome is not what its rule says."
    },
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%nParameters:%n")
final class ExperimentsCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      description = "kernels.tsv, rules.tsv and traces; without it, those of docs/what-if.md.")
  Path folder;

  @Option(
      names = "--gpu",
      paramLabel = "GPU",
      defaultValue = "h200",
      description = "Preset or file whose modern core is changed (default: ${DEFAULT-VALUE}).")
  String gpu;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "Only changes that this matches, e.g. coreMHz.")
  Pattern only;

  @Option(
      names = "--kernel",
      paramLabel = "REGEX",
      description = "Only kernels whose name this matches.")
  Pattern kernels;

  @Option(names = "--page", paramLabel = "FILE", description = "Write a page of Markdown.")
  Path page;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = "Runs at a time (default: one for each processor).")
  Integer threads;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Experiments experiments = new Experiments(folder == null ? Home.example("what-if") : folder);
    PrintWriter out = spec.commandLine().getOut();
    List<Outcome> outcomes =
        experiments.run(
            gpu,
            (change, kernel) ->
                (only == null || only.matcher(change).find())
                    && (kernels == null || kernels.matcher(kernel.name()).find()),
            threads == null ? Runtime.getRuntime().availableProcessors() : threads,
            outcome -> {
              out.println((outcome.holds() ? "  " : "! ") + outcome);
              out.flush();
            });
    if (outcomes.isEmpty()) {
      throw new IOException("no experiment matches --only " + only + " --kernel " + kernels);
    }
    if (page != null) {
      Files.writeString(page, new ExperimentPage(experiments).text(gpu, outcomes));
    }
    long broken = outcomes.stream().filter(outcome -> !outcome.holds()).count();
    out.println(outcomes.size() + " experiments, " + broken + " not as expected");
    out.flush();
    return broken == 0 ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }
}
