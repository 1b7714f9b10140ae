package dev.warpline.nvidia.classic;

/**
 * Kinds of execution units as small ints, in the order in which an SM serves them within a cycle.
 */
final class UnitKind {
  static final int SP = 0;
  static final int DP = 1;
  static final int INT = 2;
  static final int SFU = 3;
  static final int TENSOR = 4;

  /** First of eight specialised units. */
  static final int SPECIALIZED = 5;

  static final int MEMORY = 13;
  static final int COUNT = 14;

  /** The order in which collectors take instructions of different kinds. */
  static final int[] COLLECTING_ORDER = {
    SP, SFU, MEMORY, TENSOR, DP, INT, 5, 6, 7, 8, 9, 10, 11, 12
  };

  private UnitKind() {}
}
