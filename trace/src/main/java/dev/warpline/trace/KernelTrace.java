package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.trace.Problem.Skipped;
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

  /**
   * Reads a block that must be there: what a kernel takes cannot be said without all its blocks.
   *
   * @throws TraceFormatException that names the block if the trace has none
   */
  default void requireBlock(long blockId, BlockTrace into) throws IOException {
    if (!readBlock(blockId, into)) {
      throw new TraceFormatException(
          new Problem(
              title(header()),
              0,
              0,
              "no thread block " + GridCheck.name(header().grid(), blockId) + " in the trace",
              "all blocks of the grid " + header().grid(),
              Skipped.KERNEL));
    }
  }

  /**
   * Refuses a kernel of which nothing was read: all blocks are empty or all lines were left out.
   *
   * @param warpInstructions of the whole kernel
   */
  static void requireInstructions(KernelHeader header, long warpInstructions)
      throws TraceFormatException {
    if (warpInstructions == 0) {
      throw new TraceFormatException(
          new Problem(
              title(header),
              0,
              0,
              "no instruction that can be used",
              "a kernel that executes something",
              Skipped.KERNEL));
    }
  }

  /** Whether it may be read while other kernels of the program are. */
  default boolean isIndependent() {
    return true;
  }

  /**
   * Has so many blocks ready that come next, where it can; failures are those of the blocks. While
   * nobody else uses it, on any thread.
   */
  default void readAhead(int blocks) {
    // Most read when they are asked.
  }

  private static String title(KernelHeader header) {
    return "kernel " + header.id() + " (" + header.name() + ")";
  }

  @Override
  void close() throws IOException;
}
