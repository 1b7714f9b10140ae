package dev.warpline.study.amd;

/** Random numbers as the C library of Linux gives them, so that a graph is the measured one. */
final class CRandom {
  private static final int STATE = 31;
  private static final int LAG = 3;
  private static final int WARM_UP = 310;

  private final int[] state = new int[STATE];
  private int at = LAG;

  CRandom(int seed) {
    long word = seed;
    for (int i = 0; i < STATE; i++) {
      state[i] = (int) word;
      word = Math.floorMod(16807 * word, (1L << 31) - 1);
    }
    for (int i = 0; i < WARM_UP; i++) {
      next();
    }
  }

  /** From 0 to 2^31 - 1. */
  int next() {
    int sum = state[at] + state[(at + STATE - LAG) % STATE];
    state[at] = sum;
    at = (at + 1) % STATE;
    return sum >>> 1;
  }
}
