package dev.warpline.policy.hash;

import dev.warpline.policy.Named;

/** Every power of two spreads evenly. */
@Named(
    value = "ipoly",
    about = "the low bits with the remainder of the others by a polynomial xored in")
public final class Ipoly extends Bits {
  private static final int MOST = 1 << 12;

  private Polynomial polynomial;

  @Override
  public void begin(int places, int bytes) {
    super.begin(places, bytes);
    if (places > MOST) {
      throw new IllegalArgumentException("expected at most " + MOST);
    }
    polynomial = new Polynomial(places);
  }

  @Override
  int place(long higher, int index) {
    return polynomial.hash(higher, index);
  }
}
