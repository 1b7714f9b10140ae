package dev.warpline.nvidia.classic;

/** Kinds of execution units as small ints, in the order in which collectors look at them. */
final class UnitKind {
  static final int SP = 0;
  static final int SFU = 1;
  static final int MEMORY = 2;
  static final int TENSOR = 3;
  static final int DP = 4;
  static final int INT = 5;

  /** First of eight specialised units. */
  static final int SPECIALIZED = 6;

  static final int COUNT = 14;

  static final int ALL = (1 << COUNT) - 1;

  /** The order in which fixed-latency units are served within a cycle. */
  static final int[] EXECUTION_ORDER = {SP, DP, INT, SFU, TENSOR, 6, 7, 8, 9, 10, 11, 12, 13};

  private UnitKind() {}
}
