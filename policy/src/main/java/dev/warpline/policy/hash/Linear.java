package dev.warpline.policy.hash;

import dev.warpline.policy.Named;

/** Addresses a power of two apart meet. */
@Named(value = "linear", about = "neighbouring blocks in neighbouring places")
public final class Linear extends Bits {
  @Override
  int place(long higher, int index) {
    return index;
  }
}
