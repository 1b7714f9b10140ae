package dev.warpline.policy.hash;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Named;

/** No distance is bad; any number of places. */
@Named(value = "scatter", about = "all bits multiplied into each other; any number of places")
public final class Scatter implements AddressHash {
  private int places;
  private int blockBits;

  @Override
  public void begin(int places, int bytes) {
    this.places = places;
    blockBits = Integer.numberOfTrailingZeros(bytes);
  }

  @Override
  public int place(long address) {
    long h = (address >>> blockBits) * 0x9e3779b97f4a7c15L;
    return (int) (h >>> 33) % places;
  }
}
