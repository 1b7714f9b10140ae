package dev.warpline.policy.hash;

import dev.warpline.policy.AddressHash;

/** Starts from the bits just above those inside a block; places are a power of two. */
abstract class Bits implements AddressHash {
  int mask;
  private int blockBits;
  private int placeBits;

  @Override
  public void begin(int places, int bytes) {
    if (Integer.bitCount(places) != 1) {
      throw new IllegalArgumentException("expected a power of two");
    }
    mask = places - 1;
    blockBits = Integer.numberOfTrailingZeros(bytes);
    placeBits = Integer.numberOfTrailingZeros(places);
  }

  @Override
  public int place(long address) {
    long block = address >>> blockBits;
    return place(block >>> placeBits, (int) block & mask);
  }

  /**
   * The place.
   *
   * @param higher address bits above
   * @param index the low bits
   */
  abstract int place(long higher, int index);
}
