package dev.warpline.policy.hash;

/**
 * Pseudo-random interleaving by an irreducible polynomial over GF(2): the index is xored with the
 * remainder of the higher address bits. For 16, 32 and 64 places this is Accel-Sim's table, which
 * stops at a certain bit; other powers of two use all bits.
 */
public final class Polynomial {
  /** Primitive polynomials of degree 1 to 12, the leading term left out. */
  private static final int[] POLYNOMIAL = {
    0, 1, 0b11, 0b11, 0b11, 0b101, 0b11, 0b11, 0b11101, 0b10001, 0b1001, 0b101, 0b1010011
  };

  private static final int ALL_BITS = 40;

  /** For each index bit the higher address bits that flip it. */
  private final long[] taps;

  public Polynomial(int places) {
    if (Integer.bitCount(places) != 1 || places > 1 << 12) {
      throw new IllegalArgumentException(
          "polynomial hash over " + places + " places: expected a power of two up to 4096");
    }
    int degree = Integer.numberOfTrailingZeros(places);
    int bits =
        switch (places) {
          case 16 -> 13;
          case 32 -> 15;
          case 64 -> 19;
          default -> ALL_BITS;
        };
    taps = new long[degree];
    // Bit i of the higher bits stands for x^(degree+i); walk through the remainders.
    int remainder = degree == 0 ? 0 : POLYNOMIAL[degree];
    for (int i = 0; i < bits && degree > 0; i++) {
      for (int b = 0; b < degree; b++) {
        taps[b] |= (long) (remainder >> b & 1) << i;
      }
      remainder <<= 1;
      if ((remainder & places) != 0) {
        remainder = remainder ^ places ^ POLYNOMIAL[degree];
      }
    }
  }

  /** The hashed index. */
  public int hash(long higher, int index) {
    int flips = 0;
    for (int b = 0; b < taps.length; b++) {
      flips |= (Long.bitCount(higher & taps[b]) & 1) << b;
    }
    return index ^ flips;
  }
}
