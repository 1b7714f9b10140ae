package dev.warpline.cli;

import dev.warpline.engine.WholeFile;
import dev.warpline.nvidia.capture.Capture;
import dev.warpline.nvidia.emulate.Tracer;
import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.TextWriter;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Traces kernels without a GPU. */
@Command(
    name = "trace",
    mixinStandardHelpOptions = true,
    description = {
      "Run NVIDIA kernels from their SASS and write a trace, without a GPU.",
      "",
      "docs/tracing.md explains launch files, docs/capture.md captures."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class TracingCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "LAUNCH",
      description = {
        "A launch file: code, buffers and launches, as YAML; or a capture, a folder or a .wcap."
      })
  Path launch;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "Folder for kernelslist.g and the traces.")
  Path output;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    WholeFile.checkFolder(output);
    if (Capture.is(launch)) {
      return traceCapture(out);
    }
    Tracer tracer = new Tracer(launch);
    long start = System.nanoTime();
    List<String> wrong = new ArrayList<>();
    try (ProgressLine progress = new ProgressLine()) {
      WholeFile.writeFolder(
          output,
          folder ->
              wrong.addAll(
                  tracer.trace(
                      folder,
                      done ->
                          progress.show(
                              String.format(Locale.ROOT, "%,d warp instructions", done)))));
    }
    if (tracer.instructions() == 0) {
      throw new IOException(launch + ": found no launches, expected one or more");
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    out.printf(
        Locale.ROOT,
        "%s: %,d warp instructions in %.1f s; %d of %d checksums agree%n",
        output,
        tracer.instructions(),
        seconds,
        tracer.checked() - wrong.size(),
        tracer.checked());
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    wrong.forEach(line -> err.println("warpline: " + launch + ": " + line));
    err.flush();
    return wrong.isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }

  /** The trace of a captured program. */
  private int traceCapture(PrintWriter out) throws IOException {
    long start = System.nanoTime();
    long[] instructions = new long[1];
    Diagnostics diagnostics = Diagnostics.lenient();
    try (TraceSet set = Traces.openSource(launch, diagnostics);
        ProgressLine progress = new ProgressLine()) {
      WholeFile.writeFolder(
          output,
          folder ->
              TextWriter.write(
                  set,
                  folder,
                  done -> {
                    instructions[0] = done;
                    progress.show(String.format(Locale.ROOT, "%,d warp instructions", done));
                  }));
    }
    out.printf(
        Locale.ROOT,
        "%s: %,d warp instructions in %.1f s%n",
        output,
        instructions[0],
        (System.nanoTime() - start) / 1e9);
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    diagnostics.messages().forEach(line -> err.println("warpline: " + line));
    err.flush();
    return diagnostics.messages().isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }
}
