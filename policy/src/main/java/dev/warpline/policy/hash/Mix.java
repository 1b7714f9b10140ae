package dev.warpline.policy.hash;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Named;

/** No distance up to 64 KB is bad, as on hardware; any number of places. */
@Named(
    value = "mix",
    about =
        "all bits mixed twice; mix:N takes bits N and above, so that two of them are independent")
public final class Mix implements AddressHash {
  private static final int MOST = 40;

  private int first;
  private int blockBits;
  private Divisor places;

  @Override
  public void configure(int... numbers) {
    if (numbers.length > 1 || numbers.length == 1 && (numbers[0] < 1 || numbers[0] > MOST)) {
      throw new IllegalArgumentException("expected the first bit, from 1 to " + MOST);
    }
    first = numbers.length == 0 ? MOST : numbers[0];
  }

  @Override
  public void begin(int places, int bytes) {
    this.places = new Divisor(places);
    blockBits = Integer.numberOfTrailingZeros(bytes);
  }

  @Override
  public int place(long address) {
    return places.remainder(mix(address >>> blockBits) >>> first);
  }

  /** A number whose every bit depends on every bit of another. */
  public static long mix(long x) {
    x *= 0x9e3779b97f4a7c15L;
    x ^= x >>> 29;
    x *= 0xbf58476d1ce4e5b9L;
    x ^= x >>> 32;
    return x;
  }
}
