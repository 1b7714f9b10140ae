package dev.warpline.study.sample;

import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program that launches the first kernels of other programs in some order. */
final class Mixture implements TraceSet {
  private final List<TraceSet> parts = new ArrayList<>();
  private final List<TraceCommand> commands = new ArrayList<>();

  Mixture(Path... traces) throws IOException {
    for (Path trace : traces) {
      parts.add(Traces.open(trace));
    }
  }

  void launch(int part) {
    commands.add(new TraceCommand.Launch(commands.size(), "" + part));
  }

  @Override
  public String name() {
    return "mixture";
  }

  @Override
  public List<TraceCommand> commands() {
    return commands;
  }

  @Override
  public KernelTrace open(TraceCommand.Launch launch) throws IOException {
    TraceSet part = parts.get(Integer.parseInt(launch.file()));
    return part.open(
        (TraceCommand.Launch)
            part.commands().stream()
                .filter(TraceCommand.Launch.class::isInstance)
                .findFirst()
                .orElseThrow());
  }

  @Override
  public Diagnostics diagnostics() {
    return parts.get(0).diagnostics();
  }

  @Override
  public void close() throws IOException {
    for (TraceSet part : parts) {
      part.close();
    }
  }
}
