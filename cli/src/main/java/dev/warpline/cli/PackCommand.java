package dev.warpline.cli;

import dev.warpline.engine.WholeFile;
import dev.warpline.nvidia.capture.CapturePacker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Packs captures. */
@Command(
    name = "pack",
    mixinStandardHelpOptions = true,
    description = "Pack a capture into one file (.wcap), whole or in part.",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class PackCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "CAPTURE",
      description = "A folder that 'warpline capture' wrote, or one packed as .wcap.")
  Path capture;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write, with the suffix .wcap.")
  Path output;

  @Option(
      names = "--kernel",
      paramLabel = "REGEX",
      description = {
        "Only kernels in whose mangled name this is found. The others are executed now, and what"
            + " they write becomes contents of the packed capture."
      })
  String kernel;

  @Option(
      names = "--touched",
      description = {
        "Leave out memory that no kernel reads or writes; executes the capture to find out."
      })
  boolean touched;

  @Override
  public Integer call() throws IOException {
    if (!output.toString().endsWith(".wcap")) {
      throw new ParameterException(
          spec.commandLine(), "-o: found " + output + ", expected a name that ends with .wcap");
    }
    WholeFile.check(output);
    Predicate<String> wanted = kernel == null ? null : pattern().asPredicate();
    try (ProgressLine progress = new ProgressLine()) {
      WholeFile.write(
          output,
          out ->
              CapturePacker.pack(
                  capture,
                  wanted,
                  touched,
                  out,
                  done ->
                      progress.show(String.format(Locale.ROOT, "%,d warp instructions", done))));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(Locale.ROOT, "%s: %,d bytes%n", output, Files.size(output));
    out.flush();
    return ExitCode.OK;
  }

  private Pattern pattern() {
    try {
      return Pattern.compile(kernel);
    } catch (PatternSyntaxException e) {
      throw new ParameterException(
          spec.commandLine(), "--kernel: " + e.getDescription() + " in \"" + kernel + "\"", e);
    }
  }
}
