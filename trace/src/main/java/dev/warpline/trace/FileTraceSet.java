package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.util.List;

/** A traced program whose kernels are files beside its list. */
final class FileTraceSet implements TraceSet {
  private final String name;
  private final TraceFiles files;
  private final List<TraceCommand> commands;
  private final Diagnostics diagnostics;

  FileTraceSet(
      String name, TraceFiles files, List<TraceCommand> commands, Diagnostics diagnostics) {
    this.name = name;
    this.files = files;
    this.commands = List.copyOf(commands);
    this.diagnostics = diagnostics;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<TraceCommand> commands() {
    return commands;
  }

  @Override
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  @Override
  public KernelHeader header(TraceCommand.Launch launch) throws IOException {
    try (KernelTrace kernel = open(launch, Diagnostics.lenient())) {
      return kernel.header();
    }
  }

  @Override
  public KernelTrace open(TraceCommand.Launch launch) throws IOException {
    return open(launch, diagnostics);
  }

  private KernelTrace open(TraceCommand.Launch launch, Diagnostics diagnostics) throws IOException {
    String file = launch.file();
    if (!files.has(file)) {
      throw new TraceFormatException(
          new Problem(
              files.title(file), 0, 0, "no such file", "the trace of a kernel", Skipped.KERNEL));
    }
    CodeFiles code = new CodeFiles(files, file, diagnostics);
    if (file.endsWith(".tracez")) {
      RandomBytes bytes = files.random(file);
      try {
        return new BinaryKernel(files.title(file), bytes, code, diagnostics);
      } catch (IOException | RuntimeException e) {
        bytes.close();
        throw e;
      }
    }
    KernelSource source = new KernelSource(files, file);
    return source.baseName().endsWith(".trace")
        ? new RawKernel(source, code, diagnostics)
        : new TextKernel(source, code, diagnostics);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
