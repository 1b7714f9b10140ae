package dev.warpline.study.sample;

import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.util.List;

/**
 * A program of which only some launches are run.
 *
 * @param whole the program; its owner closes it
 */
record SomeLaunches(TraceSet whole, List<TraceCommand> commands) implements TraceSet {
  @Override
  public String name() {
    return whole.name();
  }

  @Override
  public KernelTrace open(TraceCommand.Launch launch) throws IOException {
    return whole.open(launch);
  }

  @Override
  public KernelHeader header(TraceCommand.Launch launch) throws IOException {
    return whole.header(launch);
  }

  @Override
  public Diagnostics diagnostics() {
    return whole.diagnostics();
  }

  @Override
  public void close() {
    // The whole program is closed by whoever opened it.
  }
}
