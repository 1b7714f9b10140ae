package dev.warpline.policy.hash;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Named;

/** Every bit of the place is the parity of some bits of the address above those inside a block. */
@Named(
    value = "parities",
    about = "parities:M:N and so on, a mask of the block's number for each bit of the place")
public final class Parities implements AddressHash {
  private int[] masks;
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
    if (places != 1 << masks.length) {
      throw new IllegalArgumentException("expected " + (1 << masks.length) + ", a mask for a bit");
    }
    blockBits = Integer.numberOfTrailingZeros(bytes);
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
