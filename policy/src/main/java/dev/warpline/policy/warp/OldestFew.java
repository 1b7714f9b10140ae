package dev.warpline.policy.warp;

import dev.warpline.policy.Named;

/** GPGPU-Sim's warp_limiting: few warps at a time, so that they keep their lines in L1. */
@Named(
    value = "warp-limiting",
    about = "the warp that issued last, then the oldest, only among the N oldest: warp-limiting:N")
public final class OldestFew extends Greedy {
  private int most;

  @Override
  public void configure(int... numbers) {
    if (numbers.length != 1 || numbers[0] < 1) {
      throw new IllegalArgumentException("expected how many warps take part, as warp-limiting:8");
    }
    most = numbers[0];
  }

  @Override
  int other(long eligible) {
    return oldest(eligible, most);
  }
}
