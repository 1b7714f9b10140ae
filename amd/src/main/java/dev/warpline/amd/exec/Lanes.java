package dev.warpline.amd.exec;

/**
 * Operands and results of one vector instruction for all 64 lanes, between the register file and
 * the arithmetic. The operand arrays may be constants of the instruction; only the result arrays
 * are written by the arithmetic, and for every lane: EXEC matters when the result is stored.
 */
final class Lanes {
  final int[] staged0 = new int[64];
  final int[] staged1 = new int[64];
  final int[] staged2 = new int[64];
  final long[] stagedLong0 = new long[64];
  final long[] stagedLong1 = new long[64];
  final long[] stagedLong2 = new long[64];

  /** Operands of up to 32 bits. */
  int[] a = staged0;

  int[] b = staged1;
  int[] c = staged2;

  /** Operands of 64 bits. */
  long[] la = stagedLong0;

  long[] lb = stagedLong1;
  long[] lc = stagedLong2;

  /** For operations that compute in two steps. */
  final int[] temporary = new int[64];

  final int[] r = new int[64];
  final long[] lr = new long[64];

  /** Lane mask read: carry in, condition. */
  long maskIn;

  /** Lane mask produced: carry out, comparison result. */
  long maskOut;
}
