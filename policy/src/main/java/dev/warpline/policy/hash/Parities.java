package dev.warpline.policy.hash;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Named;

/** Every bit of the place is the parity of some bits of the address above those inside a block. */
@Named(
    value = "parities",
    about = "a parity for each bit; parities:M:N and so on takes the block's bits in these masks")
public final class Parities implements AddressHash {
  private static final int MASK_BITS = 30;

  private int[] masks = {};
  private int blockBits;

  @Override
  public void configure(int... numbers) {
    for (int mask : numbers) {
      if (mask <= 0) {
        throw new IllegalArgumentException("expected masks above 0");
      }
    }
    masks = numbers.clone();
  }

  @Override
  public void begin(int places, int bytes) {
    if (masks.length > 0 && places != 1 << masks.length) {
      throw new IllegalArgumentException("expected " + (1 << masks.length) + " for so many masks");
    }
    if (Integer.bitCount(places) != 1) {
      throw new IllegalArgumentException("expected a power of two");
    }
    if (masks.length == 0) {
      masks = folds(Integer.numberOfTrailingZeros(places));
    }
    blockBits = Integer.numberOfTrailingZeros(bytes);
  }

  /** Every so many bits of the block's number, from each of the first on. */
  private static int[] folds(int bits) {
    int[] masks = new int[bits];
    for (int i = 0; i < bits * (MASK_BITS / Math.max(1, bits)); i++) {
      masks[i % bits] |= 1 << i;
    }
    return masks;
  }

  @Override
  public int place(long address) {
    long block = address >>> blockBits;
    int place = 0;
    for (int i = 0; i < masks.length; i++) {
      place |= (Long.bitCount(block & masks[i]) & 1) << i;
    }
    return place;
  }
}
