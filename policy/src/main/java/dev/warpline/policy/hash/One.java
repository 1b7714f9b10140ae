package dev.warpline.policy.hash;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Named;

/** GPGPU-Sim declares a custom hash without a function. */
@Named(value = "custom", about = "everything in the first place, as in GPGPU-Sim")
public final class One implements AddressHash {
  @Override
  public void begin(int places, int bytes) {
    // Any number of places will do.
  }

  @Override
  public int place(long address) {
    return 0;
  }
}
