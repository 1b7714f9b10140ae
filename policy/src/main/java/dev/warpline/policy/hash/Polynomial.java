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

  /** Address bits that are looked up at a time. */
  private static final int STEP = 4;

  /** For each four of the higher address bits, lowest first: what they flip, by their value. */
  private final int[] flips;

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
    flips = new int[(bits + STEP - 1) / STEP << STEP];
    // Bit i of the higher bits stands for x^(degree+i); walk through the remainders.
    int remainder = degree == 0 ? 0 : POLYNOMIAL[degree];
    for (int i = 0; i < bits && degree > 0; i++) {
      for (int value = 0; value < 1 << STEP; value++) {
        if ((value >>> i % STEP & 1) != 0) {
          flips[(i / STEP << STEP) + value] ^= remainder;
        }
      }
      remainder <<= 1;
      if ((remainder & places) != 0) {
        remainder = remainder ^ places ^ POLYNOMIAL[degree];
      }
    }
  }

  /** The hashed index. */
  public int hash(long higher, int index) {
    int hashed = index;
    for (int i = 0; i < flips.length; i += 1 << STEP) {
      hashed ^= flips[i + ((int) higher & (1 << STEP) - 1)];
      higher >>>= STEP;
    }
    return hashed;
  }
}
