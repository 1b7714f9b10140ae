package dev.warpline.cli;

import dev.warpline.isa.Demangler;
import dev.warpline.nvidia.capture.CaptureExecution;
import dev.warpline.nvidia.capture.CaptureReader;
import dev.warpline.nvidia.capture.KernelOutcome;
import dev.warpline.nvidia.capture.KernelOutcome.Result;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Executes captures and compares results with those of the GPU. */
@Command(
    name = "execute",
    mixinStandardHelpOptions = true,
    description = {
      "Execute the kernels of a capture without a GPU and without timing, and compare what they"
          + " write with what the GPU wrote.",
      "",
      "Kernels that cannot be executed are named and passed over. The exit code is 5 unless all"
          + " results are the GPU's to the last bit."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class ExecuteCommand implements Callable<Integer> {
  private static final int NAME = 48;

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "CAPTURE",
      description = "A folder that 'warpline capture' wrote, or one packed as .wcap.")
  Path capture;

  @Mixin JsonOutput json;

  @Override
  public Integer call() throws IOException {
    json.check();
    PrintWriter out = spec.commandLine().getOut();
    List<KernelOutcome> outcomes = new ArrayList<>();
    CaptureReader.Head head;
    try (ProgressLine progress = new ProgressLine()) {
      head =
          CaptureExecution.run(
              capture,
              outcomes::add,
              done ->
                  progress.show(
                      String.format(
                          Locale.ROOT,
                          "launch %d: %,d warp instructions",
                          outcomes.size() + 1,
                          done)));
    }
    if (json.leavesText()) {
      print(out, head, outcomes);
    }
    if (json.wanted()) {
      json.write(tree(head, outcomes));
    }
    out.flush();
    return outcomes.stream().allMatch(KernelOutcome::exact) ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }

  private void print(PrintWriter out, CaptureReader.Head head, List<KernelOutcome> outcomes) {
    out.printf("%s: recorded on %s: %s%n%n", capture, head.device(), words(head));
    out.printf("%5s  %-" + NAME + "s %14s %8s  %s%n", "#", "kernel", "instructions", "M/s", "");
    for (KernelOutcome one : outcomes) {
      out.printf(
          Locale.ROOT,
          "%5d  %-" + NAME + "s %,14d %8.1f  %s%n",
          one.number(),
          cut(Demangler.demangle(one.kernel())),
          one.instructions(),
          speed(one.instructions(), one.seconds()),
          word(one));
      if (!one.exact()) {
        one.details().forEach(line -> out.println("         " + line.replace("\n", "\n         ")));
      }
    }
    long instructions = outcomes.stream().mapToLong(KernelOutcome::instructions).sum();
    double seconds = outcomes.stream().mapToDouble(KernelOutcome::seconds).sum();
    out.printf(
        Locale.ROOT,
        "%n%d of %d kernels exact, %,d warp instructions in %.1f s: %.1f M/s, %.1f M/s in the"
            + " geometric mean%n",
        count(outcomes, Result.EXACT),
        outcomes.size(),
        instructions,
        seconds,
        speed(instructions, seconds),
        mean(outcomes));
  }

  private static String words(CaptureReader.Head head) {
    return String.join(" ", head.command());
  }

  private static String cut(String name) {
    return name.length() <= NAME ? name : name.substring(0, NAME - 3) + "...";
  }

  private static String word(KernelOutcome one) {
    String input = one.inputDiffered() && !one.exact() ? " (input already differed)" : "";
    return switch (one.result()) {
          case EXACT -> "exact";
          case DIFFERS -> "differs";
          case ORDER -> "differs; the order of blocks matters";
          case FAILED -> "not executable";
        }
        + input;
  }

  private static long count(List<KernelOutcome> outcomes, Result result) {
    return outcomes.stream().filter(one -> one.result() == result).count();
  }

  private static double speed(long instructions, double seconds) {
    return seconds == 0 ? 0 : instructions / seconds / 1e6;
  }

  /** Of the kernels' speeds. */
  private static double mean(List<KernelOutcome> outcomes) {
    double logs = 0;
    int kernels = 0;
    for (KernelOutcome one : outcomes) {
      if (one.instructions() > 0 && one.seconds() > 0) {
        logs += Math.log(speed(one.instructions(), one.seconds()));
        kernels++;
      }
    }
    return kernels == 0 ? 0 : Math.exp(logs / kernels);
  }

  private Map<String, Object> tree(CaptureReader.Head head, List<KernelOutcome> outcomes) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("capture", capture.toString());
    tree.put("device", head.device());
    tree.put("command", head.command());
    for (Result result : Result.values()) {
      tree.put(lower(result), count(outcomes, result));
    }
    List<Map<String, Object>> kernels = new ArrayList<>();
    for (KernelOutcome one : outcomes) {
      Map<String, Object> kernel = new LinkedHashMap<>();
      kernel.put("number", one.number());
      kernel.put("operation", one.operation());
      kernel.put("name", Demangler.demangle(one.kernel()));
      kernel.put("mangledName", one.kernel());
      kernel.put("result", lower(one.result()));
      kernel.put("inputDiffered", one.inputDiffered());
      kernel.put("warpInstructions", one.instructions());
      kernel.put("seconds", one.seconds());
      kernel.put("details", one.details());
      kernels.add(kernel);
    }
    tree.put("kernels", kernels);
    return tree;
  }

  private static String lower(Result result) {
    return result.name().toLowerCase(Locale.ROOT);
  }
}
