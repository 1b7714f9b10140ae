package dev.warpline.policy.hash;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Named;

/** As GPGPU-Sim has it: bits of the address itself, whatever a line's size. */
@Named(
    value = "fermi",
    about = "the L1 of NVIDIA's Fermi as found out by measurement: 32 or 64 places")
public final class Fermi implements AddressHash {
  private int places;

  @Override
  public void begin(int places, int bytes) {
    if (places != 32 && places != 64) {
      throw new IllegalArgumentException("expected 32 or 64");
    }
    this.places = places;
  }

  @Override
  public int place(long a) {
    int low = (int) (a >>> 7) & 31;
    int high =
        (int) (a >>> 13 & 1)
            | (int) (a >>> 14 & 1) << 1
            | (int) (a >>> 15 & 1) << 2
            | (int) (a >>> 17 & 1) << 3
            | (int) (a >>> 19 & 1) << 4;
    int top = places == 64 ? (int) (a >>> 12 & 1) << 5 : 0;
    return (low ^ high | top) & places - 1;
  }
}
