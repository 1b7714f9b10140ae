package dev.warpline.policy.hash;

import dev.warpline.policy.Named;

/** Addresses as far apart as all places together no longer meet. */
@Named(value = "xor", about = "the low bits with the next higher ones xored in")
public final class Xor extends Bits {
  @Override
  int place(long higher, int index) {
    return index ^ (int) higher & mask;
  }
}
