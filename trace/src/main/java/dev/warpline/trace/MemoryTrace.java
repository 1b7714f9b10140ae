package dev.warpline.trace;

import java.util.ArrayList;
import java.util.List;

/** A traced program held in memory: copies and kernels in the order they were added. */
public final class MemoryTrace implements TraceSet {
  private final String name;
  private final List<TraceCommand> commands = new ArrayList<>();
  private final List<MemoryKernel> kernels = new ArrayList<>();
  private final Diagnostics diagnostics = Diagnostics.lenient();

  public MemoryTrace(String name) {
    this.name = name;
  }

  /** Adds a host-to-device copy. */
  public MemoryTrace copy(long address, long bytes) {
    commands.add(new TraceCommand.MemcpyHtoD(address, bytes));
    return this;
  }

  /** Adds a kernel launch. */
  public MemoryTrace launch(MemoryKernel kernel) {
    commands.add(
        new TraceCommand.Launch(kernels.size(), "kernel-" + (kernels.size() + 1) + ".traceg"));
    kernels.add(kernel);
    return this;
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
  public KernelTrace open(TraceCommand.Launch launch) {
    return kernels.get(launch.index());
  }

  @Override
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  @Override
  public void close() {}
}
