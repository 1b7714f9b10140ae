package dev.warpline.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Records a CUDA program: starts the script of the folder {@code capture}, which needs no Java. */
@Command(
    name = "capture",
    mixinStandardHelpOptions = true,
    description = {
      "Record what a CUDA program does on this machine's GPU, so that it can be executed and"
          + " simulated anywhere (docs/capture.md). The program runs as always, and its exit code is"
          + " this command's. Machines without Java use capture/warpline-capture, which has the same"
          + " options.",
      "",
      "  warpline capture --time -o step.capture -- python3 train_step.py"
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class CaptureCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The program and its arguments, after --.")
  List<String> command = new ArrayList<>();

  @Option(
      names = "--kernel",
      paramLabel = "REGEX",
      description =
          "Record only kernels whose mangled name matches (POSIX extended regular expression).")
  String kernel;

  @Option(
      names = "--skip",
      paramLabel = "N",
      converter = Numbers.Limit.class,
      description = "Leave out the first N launches that match.")
  Long skip;

  @Option(
      names = "--count",
      paramLabel = "N",
      converter = Numbers.Limit.class,
      description = "Record at most N launches.")
  Long count;

  @Option(
      names = "--max-bytes",
      paramLabel = "SIZE",
      description = "Store at most so much memory, e.g. 64M (K, M, G).")
  String maxBytes;

  @Option(
      names = "--time",
      description = "Run the command once more, unserialised, and note when everything ran.")
  boolean time;

  @Option(
      names = "--passes",
      paramLabel = "N",
      description =
          "With --time: run it so many times more, and note how long things took each time.")
  String passes;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "The capture; the command's name with .capture if not given.")
  Path output;

  @Override
  public Integer call() throws IOException {
    Path script = Home.folder().toAbsolutePath().resolve("capture/warpline-capture");
    if (!Files.isRegularFile(script)) {
      throw new IOException(script + ": no such file; unpack Warpline again");
    }
    List<String> words = new ArrayList<>(List.of("sh", script.normalize().toString()));
    add(words, "--kernel", kernel);
    add(words, "--skip", skip);
    add(words, "--count", count);
    add(words, "--max-bytes", maxBytes);
    add(words, "-o", output);
    add(words, "--passes", passes);
    if (time) {
      words.add("--time");
    }
    words.add("--");
    words.addAll(command);
    Process process = new ProcessBuilder(words).inheritIO().start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      return ExitCode.INTERNAL;
    }
  }

  private static void add(List<String> words, String option, Object value) {
    if (value != null) {
      words.add(option);
      words.add(value.toString());
    }
  }
}
