package dev.warpline.nvidia.emulate;

/** Pairs of words. */
final class Words64 {
  private Words64() {}

  static long join(int low, int high) {
    return (long) high << 32 | low & 0xffffffffL;
  }

  static long unsigned(int word) {
    return word & 0xffffffffL;
  }
}
