package dev.warpline.policy.hash;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Named;

/**
 * Neighbouring blocks in neighbouring places, of which there may be any number. With N, blocks as
 * far apart as all places together no longer meet, nor those N times as many powers apart.
 */
@Named(
    value = "remainder",
    about = "a block's number by the places; remainder:N xors the next N quotients in; any number")
public final class Remainder implements AddressHash {
  private int quotients;
  private int places;
  private int blockBits;

  /** Bits of a place's number where places are a power of two, else -1: dividing takes long. */
  private int placeBits;

  @Override
  public void configure(int... numbers) {
    if (numbers.length > 1 || numbers.length == 1 && (numbers[0] < 0 || numbers[0] > 8)) {
      throw new IllegalArgumentException("expected how many quotients, 0 to 8, as remainder:2");
    }
    quotients = numbers.length == 0 ? 0 : numbers[0];
  }

  @Override
  public void begin(int places, int bytes) {
    this.places = places;
    blockBits = Integer.numberOfTrailingZeros(bytes);
    placeBits = Integer.bitCount(places) == 1 ? Integer.numberOfTrailingZeros(places) : -1;
  }

  @Override
  public int place(long address) {
    long quotient = (address & Long.MAX_VALUE) >>> blockBits;
    long mixed = quotient;
    for (int i = 0; i < quotients; i++) {
      quotient = placeBits < 0 ? quotient / places : quotient >>> placeBits;
      mixed ^= quotient;
    }
    return (int) (placeBits < 0 ? mixed % places : mixed & places - 1);
  }
}
