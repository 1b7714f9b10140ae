package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import java.io.IOException;

/**
 * One kernel's trace, open for reading, block by block. Not safe for use by several threads at
 * once; several kernels may be open together.
 */
public interface KernelTrace extends AutoCloseable {
  /** The header. */
  KernelHeader header();

  /** The static instructions met so far; complete from the start when read from a trace cache. */
  CodeTable code();

  /** Whether control bits were found for this kernel (a cubin or a control sidecar). */
  boolean hasControlBits();

  /**
   * Reads a block. Ascending order is fast for every format; other orders may cost a rewind.
   *
   * @param blockId linear block id
   * @param into receives the block; untouched if it is absent
   * @return false if the trace has no such block
   */
  boolean readBlock(long blockId, BlockTrace into) throws IOException;

  @Override
  void close() throws IOException;
}
