package dev.warpline.policy.replacement;

import dev.warpline.policy.Named;
import dev.warpline.policy.Replacement;

/** The same seed makes the same choices. */
@Named(value = "random", about = "any line, by a generator that starts with a seed: random:SEED")
public final class RandomChoice implements Replacement {
  private long seed;
  private long state;
  private int ways;

  @Override
  public void configure(int... numbers) {
    if (numbers.length != 1) {
      throw new IllegalArgumentException("expected a seed, as random:1");
    }
    seed = numbers[0];
  }

  @Override
  public void begin(int sets, int ways) {
    this.ways = ways;
    state = scattered(seed);
  }

  @Override
  public void filled(int set, int way) {
    state = scattered(state + set);
  }

  @Override
  public void used(int set, int way) {
    // Chance knows no past.
  }

  @Override
  public int victim(int set, Lines lines) {
    int drawn = (int) ((scattered(state ^ set) >>> 33) % ways);
    for (int i = 0; i < ways; i++) {
      int way = drawn + i < ways ? drawn + i : drawn + i - ways;
      if (lines.mayLeave(set, way)) {
        return way;
      }
    }
    return NONE;
  }

  /** Any two inputs that differ give outputs that look unrelated. */
  private static long scattered(long x) {
    long z = x + 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 32) * 0xd6e8feb86659fd93L;
    z = (z ^ z >>> 32) * 0xd6e8feb86659fd93L;
    return z ^ z >>> 32;
  }
}
