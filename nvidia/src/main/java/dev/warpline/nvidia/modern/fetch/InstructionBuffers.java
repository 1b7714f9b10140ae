package dev.warpline.nvidia.modern.fetch;

import dev.warpline.engine.gpu.ModernCoreSpec;

/** The instruction buffers of an SM's warps, and where fetch stands with each. */
public final class InstructionBuffers {
  // By warp: instructions in the buffer, what of it will be thrown away, where fetch stands.
  final int[] filled;
  final int[] wasted;

  /** Where a straight line leads. */
  final int[] expected;

  final int[] line;
  final long[] lineAt;

  /** Fetches until a branch on its way is decoded, 0 until it is resolved; else any number. */
  final int[] allowed;

  /** No fetch before this: the start of the warp, a branch that is not resolved. */
  final long[] notBefore;

  /** Whether that is a taken branch. */
  final boolean[] branched;

  /** When the branch in front of a warp's next instruction is known not to be taken. */
  final long[] resolvedAt;

  /** When the entries of a warp's ring can issue. */
  final long[] availableAt;

  final long[] fetchedAt;

  final int[] head;

  public InstructionBuffers(ModernCoreSpec.Supply spec, int slots) {
    int entries = spec.bufferEntries();
    filled = new int[slots];
    wasted = new int[slots];
    expected = new int[slots];
    line = new int[slots];
    lineAt = new long[slots];
    allowed = new int[slots];
    notBefore = new long[slots];
    branched = new boolean[slots];
    resolvedAt = new long[slots];
    availableAt = new long[slots * entries];
    fetchedAt = new long[slots * entries];
    head = new int[slots];
  }
}
