package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A traced program whose kernels are files beside its list. */
final class FileTraceSet implements TraceSet {
  /** Bytes of an instruction's line in most traces. */
  private static final int USUAL_LINE_BYTES = 45;

  private final String name;
  private final TraceFiles files;
  private final List<TraceCommand> commands;
  private final Diagnostics diagnostics;
  private final Map<Integer, KernelHeader> headers = new HashMap<>();

  /** The kernel whose header was read last, and its code if nothing was wrong with it. */
  private TraceCommand.Launch looked;

  private CodeFiles codeOfLooked;

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
  public long expectedInstructions() throws IOException {
    long bytes = 0;
    for (TraceCommand command : commands) {
      if (command instanceof TraceCommand.Launch launch && files.has(launch.file())) {
        if (Packing.of(launch.file()) != Packing.NONE || launch.file().endsWith(".tracez")) {
          return -1;
        }
        bytes += files.size(launch.file());
      }
    }
    return bytes / USUAL_LINE_BYTES;
  }

  @Override
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  @Override
  public KernelHeader header(TraceCommand.Launch launch) throws IOException {
    KernelHeader header = headers.get(launch.index());
    if (header == null) {
      Diagnostics notes = Diagnostics.lenient();
      CodeFiles code = new CodeFiles(files, launch.file(), notes);
      try (KernelTrace kernel = open(launch.file(), code, notes)) {
        header = kernel.header();
      }
      headers.put(launch.index(), header);
      // Who asks for a header opens the kernel next; reading a cubin twice takes longer than that.
      looked = launch;
      codeOfLooked = notes.messages().isEmpty() ? code : null;
    }
    return header;
  }

  @Override
  public KernelTrace open(TraceCommand.Launch launch) throws IOException {
    boolean read =
        codeOfLooked != null
            && launch.index() == looked.index()
            && launch.file().equals(looked.file());
    return open(
        launch.file(),
        read ? codeOfLooked : new CodeFiles(files, launch.file(), diagnostics),
        diagnostics);
  }

  private KernelTrace open(String file, CodeFiles code, Diagnostics diagnostics)
      throws IOException {
    if (!files.has(file)) {
      throw new TraceFormatException(
          new Problem(
              files.title(file), 0, 0, "no such file", "the trace of a kernel", Skipped.KERNEL));
    }
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
