package dev.warpline.cli;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.study.program.ProgramComparison;
import dev.warpline.study.program.ProgramValidation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares the times of captured programs with the model's. */
@Command(
    name = "validate-programs",
    mixinStandardHelpOptions = true,
    description = {
      "Compare the time of captured programs, from the start of their first operation on the GPU to"
          + " the end of their last, and how much of it overlaps, with the model's, given the times"
          + " that their kernels took (docs/programs.md)."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class ValidateProgramsCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin GpuOptions gpu;

  @Parameters(
      paramLabel = "FOLDER",
      description = "A capture with times.jsonl, or a folder of such.")
  Path folder;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    GpuDescription description = gpu.load("h200");
    if (description.program() == null) {
      throw new DescriptionException(
          description.name() + ": found no section program, expected one (docs/programs.md)");
    }
    List<Path> captures = ProgramValidation.captures(folder);
    List<ProgramComparison> rows = new ArrayList<>();
    out.println(
        "| program | operations | measured us | model us | error | busiest stretch | measured us |"
            + " model us | error | overlap us | model us | error |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (Path capture : captures) {
      ProgramComparison row = ProgramValidation.givenKernels(capture, description);
      if (row.whole().operations() == 0) {
        continue;
      }
      rows.add(row);
      out.printf(
          "| %s | %s | %s | %s |%n",
          row.name(),
          cells(row.whole(), true),
          cells(row.busy(), true),
          row.overlaps() ? cells(row.overlap(), false) : "- | - | -");
    }
    if (rows.isEmpty()) {
      throw new IOException(folder + ": found no capture with times.jsonl, expected one at least");
    }
    out.println();
    say("the whole time", rows.stream().map(ProgramComparison::whole).toList(), out);
    say("the busiest stretch", rows.stream().map(ProgramComparison::busy).toList(), out);
    say(
        "the overlap",
        rows.stream().filter(ProgramComparison::overlaps).map(ProgramComparison::overlap).toList(),
        out);
    out.flush();
    return ExitCode.OK;
  }

  private static String cells(ProgramComparison.Pair pair, boolean counted) {
    return String.format(
        Locale.ROOT,
        "%s%,.1f | %,.1f | %+.1f %%",
        counted ? pair.operations() + " | " : "",
        pair.measured() / 1e3,
        pair.modelled() / 1e3,
        100 * pair.error());
  }

  private static void say(String what, List<ProgramComparison.Pair> pairs, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s: %d programs, %.1f %% mean error, %.1f %% at most%n",
        what,
        pairs.size(),
        100 * pairs.stream().mapToDouble(pair -> Math.abs(pair.error())).average().orElse(0),
        100 * pairs.stream().mapToDouble(pair -> Math.abs(pair.error())).max().orElse(0));
  }
}
