package dev.warpline.nvidia.classic;

/** Kinds of execution units as small ints, in the order in which collectors look at them. */
final class UnitKind {
  static final int SP = 0;
  static final int SFU = 1;
  static final int MEMORY = 2;
  static final int DP = 3;
  static final int INT = 4;

  /** First of eight specialised units. */
  static final int SPECIALIZED = 5;

  static final int COUNT = 13;

  static final int ALL = (1 << COUNT) - 1;

  /** The order in which fixed-latency units are served within a cycle. */
  static final int[] EXECUTION_ORDER = {SP, DP, INT, SFU, 5, 6, 7, 8, 9, 10, 11, 12};

  private UnitKind() {}
}
