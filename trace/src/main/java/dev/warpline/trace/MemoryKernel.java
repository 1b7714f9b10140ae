package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.ControlBits;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** A small kernel held in memory, for tests and synthetic workloads; see {@link KernelBuilder}. */
public final class MemoryKernel implements KernelTrace {
  private final KernelHeader header;
  private final CodeTable code;
  private final Map<Long, BlockTrace> blocks;

  MemoryKernel(KernelHeader header, CodeTable code, Map<Long, BlockTrace> blocks) {
    this.header = header;
    this.code = code;
    this.blocks = blocks;
  }

  /** All of a kernel that was opened elsewhere. */
  public static MemoryKernel copyOf(KernelTrace kernel) throws IOException {
    Map<Long, BlockTrace> blocks = new TreeMap<>();
    for (long id = 0; id < kernel.header().grid().count(); id++) {
      BlockTrace block = new BlockTrace();
      if (kernel.readBlock(id, block)) {
        blocks.put(id, block);
      }
    }
    return new MemoryKernel(kernel.header(), kernel.code(), blocks);
  }

  /** A kernel from the text of a {@code .traceg} file; any problem in it is an exception. */
  public static MemoryKernel parse(String text) throws IOException {
    try (TraceFiles files = new MemoryFiles(Map.of("kernel-1.traceg", text));
        KernelTrace kernel =
            new TextKernel(
                new KernelSource(files, "kernel-1.traceg"),
                new CodeFiles(files, "kernel-1.traceg", Diagnostics.strict()),
                Diagnostics.strict())) {
      return copyOf(kernel);
    }
  }

  @Override
  public KernelHeader header() {
    return header;
  }

  @Override
  public CodeTable code() {
    return code;
  }

  @Override
  public boolean hasControlBits() {
    for (int row = 0; row < code.size(); row++) {
      if (code.get(row).control() != ControlBits.ABSENT) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean readBlock(long blockId, BlockTrace into) {
    BlockTrace block = blocks.get(blockId);
    if (block == null) {
      return false;
    }
    into.copy(block);
    return true;
  }

  @Override
  public void close() {}
}
