package dev.warpline.policy.dram;

import dev.warpline.policy.Named;
import dev.warpline.policy.PagePolicy;

/** Keeps a row for a burst of accesses, and no longer. */
@Named(value = "timeout", about = "a row is closed when nobody used it for N ns: timeout:N")
public final class Timeout implements PagePolicy {
  private int nanoseconds;

  @Override
  public void configure(int... numbers) {
    if (numbers.length != 1 || numbers[0] < 1) {
      throw new IllegalArgumentException("expected nanoseconds, as timeout:100");
    }
    nanoseconds = numbers[0];
  }

  @Override
  public long openFor(int bank, long row) {
    return nanoseconds;
  }
}
