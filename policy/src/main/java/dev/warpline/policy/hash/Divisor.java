package dev.warpline.policy.hash;

/** Divides numbers that are not negative by one that stays the same, without a division. */
public final class Divisor {
  private final long by;
  private final double inverse;

  public Divisor(long by) {
    this.by = by;
    inverse = 1.0 / by;
  }

  public long quotient(long x) {
    long q = (long) (x * inverse);
    long rest = x - q * by;
    // The product is off by less than two.
    while (rest < 0) {
      rest += by;
      q--;
    }
    while (rest >= by) {
      rest -= by;
      q++;
    }
    return q;
  }

  public int remainder(long x) {
    return (int) (x - quotient(x) * by);
  }
}
