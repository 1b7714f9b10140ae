package dev.warpline.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A traced program in a trace cache. */
final class CacheTraceSet implements TraceSet {
  private final String name;
  private final CacheFile file;
  private final String fingerprint;
  private final List<TraceCommand> commands = new ArrayList<>();
  private final List<Long> sections = new ArrayList<>();
  private final Diagnostics diagnostics;
  private long instructions;

  /** Opens a cache; {@code name} is what the user called the trace. */
  CacheTraceSet(String name, CacheFile file, Diagnostics diagnostics) throws IOException {
    this.name = name;
    this.file = file;
    this.diagnostics = diagnostics;
    ColumnReader in = file.directory();
    List<String> messages = new ArrayList<>();
    int problems;
    try {
      fingerprint = in.nextText();
      for (int i = in.nextInt(in.remaining()); i > 0; i--) {
        command(in);
      }
      for (int i = in.nextInt(in.remaining()); i > 0; i--) {
        messages.add(in.nextText());
      }
      // Caches of the first releases end here.
      problems = in.remaining() == 0 ? 0 : in.nextInt(messages.size());
    } catch (RuntimeException e) {
      throw file.damaged("a directory with " + e.getMessage());
    }
    if (sections.isEmpty()) {
      throw file.damaged("no kernel");
    }
    if (problems > 0 && diagnostics.isStrict()) {
      throw new TraceFormatException(
          new Problem(
              file.name(),
              0,
              0,
              "a cache that was converted with --lenient ("
                  + problems
                  + " problems, the first: "
                  + messages.get(0)
                  + ")",
              "a cache from which nothing was left out",
              Problem.Skipped.NOTHING));
    }
    messages.forEach(diagnostics::warn);
  }

  private void command(ColumnReader in) {
    int kind = in.nextInt(3);
    switch (kind) {
      case 1 -> commands.add(new TraceCommand.MemcpyHtoD(in.next(), in.next()));
      case 2 -> {
        commands.add(new TraceCommand.Launch(sections.size(), in.nextText()));
        sections.add(in.next());
        instructions += in.next();
        in.next();
      }
      case 3 -> commands.add(new TraceCommand.Other((int) in.next(), in.nextText()));
      default -> throw new IllegalStateException("command kind " + kind);
    }
  }

  /** Fingerprint of the source at conversion. */
  String fingerprint() {
    return fingerprint;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<TraceCommand> commands() {
    return List.copyOf(commands);
  }

  @Override
  public KernelTrace open(TraceCommand.Launch launch) throws IOException {
    return new CacheKernel(file, sections.get(launch.index()), diagnostics);
  }

  @Override
  public long expectedInstructions() {
    return instructions;
  }

  @Override
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
