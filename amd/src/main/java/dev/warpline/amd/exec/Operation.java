package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;

/**
 * One static instruction, ready to be executed. Immutable; made once per PC by {@link
 * Semantics#bind}.
 */
public abstract class Operation {
  public final GcnInstruction instruction;

  Operation(GcnInstruction instruction) {
    this.instruction = instruction;
  }

  /** Whether executing it fills a {@link MemoryAccess} that has to be completed. */
  public boolean isAccess() {
    return false;
  }

  /** Changes the wave. The PC already points behind the instruction. */
  abstract void run(WaveState w, Lanes x, MemoryAccess access);
}
