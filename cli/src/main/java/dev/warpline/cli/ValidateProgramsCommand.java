package dev.warpline.cli;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.study.program.ProgramComparison;
import dev.warpline.study.program.ProgramValidation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares the times of captured programs with the model's. */
@Command(
    name = "validate-programs",
    mixinStandardHelpOptions = true,
    description = {
      "Compare the time of captured programs, from the start of their first operation on the GPU to"
          + " the end of their last, and how much of it overlaps, with the model's, given the times"
          + " that their kernels took, or with kernels that are simulated (docs/programs.md)."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class ValidateProgramsCommand implements Callable<Integer> {
  /** Kernels of which even steps of a profiler's clock, 32 ns, are little, and long ones. */
  private static final double SHORT_NS = 1_000;

  private static final double LONG_NS = 3_000;

  @Spec CommandSpec spec;

  @Mixin GpuOptions gpu;

  @Parameters(
      paramLabel = "FOLDER",
      description = "A capture with times.jsonl, or a folder of such.")
  Path folder;

  @Option(
      names = "--simulate",
      description = "Execute and simulate the kernels, and compare their times, too.")
  boolean simulate;

  @Option(
      names = "--kernels",
      paramLabel = "FILE",
      description =
          "With --simulate: write a line per kernel, separated by tabs: program, measured and model"
              + " nanoseconds, error, blocks, warp instructions, cycles with a block on the busiest"
              + " SM, name.")
  Path kernelFile;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = "Threads that simulate (default: the processors of this machine).")
  int threads = Runtime.getRuntime().availableProcessors();

  /** Times of all simulated kernels, and the mean of their errors by program. */
  private final List<ProgramComparison.Pair> kernels = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    GpuDescription description = gpu.load("h200");
    if (description.program() == null) {
      throw new DescriptionException(
          description.name() + ": found no section program, expected one (docs/programs.md)");
    }
    List<Path> captures = ProgramValidation.captures(folder);
    if (kernelFile != null && !simulate) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--kernels: found no --simulate, expected it with --kernels");
    }
    List<ProgramComparison> rows = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    lines.add("program\tmeasured\tmodel\terror\tblocks\tinstructions\tactive\tkernel");
    out.println(
        "| program | operations | measured us | model us | error | busiest stretch | measured us |"
            + " model us | error | overlap us | model us | error |"
            + (simulate ? " kernels | mean error | signed |" : ""));
    out.println(
        "|---|---|---|---|---|---|---|---|---|---|---|---|" + (simulate ? "---|---|---|" : ""));
    for (Path capture : captures) {
      List<ProgramValidation.Kernel> its = new ArrayList<>();
      ProgramComparison row = compare(capture, description, its);
      if (row == null || row.whole().operations() == 0) {
        continue;
      }
      rows.add(row);
      its.forEach(one -> kernels.add(one.time()));
      its.forEach(one -> lines.add(line(row.name(), one)));
      out.printf(
          "| %s | %s | %s | %s |%s%n",
          row.name(),
          cells(row.whole(), true),
          cells(row.busy(), true),
          row.overlaps() ? cells(row.overlap(), false) : "- | - | -",
          simulate ? kernelCells(its.stream().map(ProgramValidation.Kernel::time).toList()) : "");
      out.flush();
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
    if (simulate) {
      say("kernels", kernels, out);
      say(
          "kernels of 1 us and more",
          kernels.stream().filter(one -> one.measured() >= SHORT_NS).toList(),
          out);
      say(
          "kernels of 3 us and more",
          kernels.stream().filter(one -> one.measured() >= LONG_NS).toList(),
          out);
      double all = kernels.stream().mapToDouble(ProgramComparison.Pair::measured).sum();
      double off =
          kernels.stream().mapToDouble(one -> Math.abs(one.modelled() - one.measured())).sum();
      out.printf(Locale.ROOT, "kernels, weighted by their time: %.1f %%%n", 100 * off / all);
    }
    out.flush();
    if (kernelFile != null) {
      Files.write(kernelFile, lines);
    }
    return ExitCode.OK;
  }

  /** Null if it has no times. */
  private ProgramComparison compare(
      Path capture, GpuDescription description, List<ProgramValidation.Kernel> its)
      throws IOException {
    ProgramComparison given = ProgramValidation.givenKernels(capture, description);
    if (!simulate || given.whole().operations() == 0) {
      return given;
    }
    try {
      ProgramValidation.Simulated simulated =
          ProgramValidation.simulated(
              capture, description, RunOptions.DEFAULT.withThreads(threads));
      its.addAll(simulated.kernels());
      return simulated.program();
    } catch (IOException | UnfinishedSimulationException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("warpline: " + capture + ": left out: " + e.getMessage());
      err.flush();
      return null;
    }
  }

  private static String line(String program, ProgramValidation.Kernel kernel) {
    KernelResult result = kernel.result();
    return String.format(
        Locale.ROOT,
        "%s\t%.0f\t%.0f\t%+.1f\t%s\t%s\t%s\t%s",
        program,
        kernel.time().measured(),
        kernel.time().modelled(),
        100 * kernel.time().error(),
        result == null ? "" : result.statistics().get("launch.blocks"),
        result == null ? "" : result.warpInstructions(),
        result == null ? "" : result.statistics().get("sm.activeCyclesMost"),
        kernel.name());
  }

  private static String kernelCells(List<ProgramComparison.Pair> its) {
    return String.format(
        Locale.ROOT,
        " %d | %.1f %% | %+.1f %% |",
        its.size(),
        100 * its.stream().mapToDouble(one -> Math.abs(one.error())).average().orElse(0),
        100 * its.stream().mapToDouble(ProgramComparison.Pair::error).average().orElse(0));
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
        "%s: %d, %.1f %% mean error, %.1f %% at most%n",
        what,
        pairs.size(),
        100 * pairs.stream().mapToDouble(pair -> Math.abs(pair.error())).average().orElse(0),
        100 * pairs.stream().mapToDouble(pair -> Math.abs(pair.error())).max().orElse(0));
  }
}
