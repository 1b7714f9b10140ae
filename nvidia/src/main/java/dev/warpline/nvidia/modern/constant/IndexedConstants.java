package dev.warpline.nvidia.modern.constant;

import dev.warpline.isa.CodeTable;
import dev.warpline.nvidia.emulate.ConstantIndexProbe;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Dim3;

/**
 * What the constant loads with a register index of a kernel's blocks read. Blocks that execute the
 * same share it if their indexes come from nothing but the place of a thread in its block.
 */
public final class IndexedConstants {
  private final ConstantIndexProbe probe;

  /** What blocks that execute this read, as far as it is the same for all of them. */
  private int[] executed;

  private ConstantAddresses shared;

  public IndexedConstants(CodeTable code, Dim3 grid, Dim3 block) {
    probe = new ConstantIndexProbe(code, grid, block);
  }

  /** What a block reads; not to be written. */
  public ConstantAddresses of(BlockTrace block) {
    if (executed != null && block.executes(executed)) {
      return shared;
    }
    ConstantAddresses its = new ConstantAddresses();
    probe.run(block, its);
    if (block.common() != null && probe.isAlikeInAllBlocks()) {
      executed = block.common();
      shared = its;
    }
    return its;
  }
}
