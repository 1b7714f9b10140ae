package dev.warpline.policy.dram;

import dev.warpline.policy.Named;
import dev.warpline.policy.PagePolicy;
import java.util.Arrays;

/** Each bank learns whether its next access will want the same row. */
@Named(
    value = "adaptive",
    about = "each bank keeps rows open while its accesses return to them, else closes them")
public final class AdaptivePage implements PagePolicy {
  private static final byte MOST = 3;

  /** From 0 to 3; a bank that has 2 or more keeps its rows. */
  private byte[] trust = new byte[0];

  private long[] last = new long[0];

  @Override
  public void begin(int banks) {
    trust = new byte[banks];
    last = new long[banks];
    Arrays.fill(trust, MOST);
    Arrays.fill(last, -1);
  }

  @Override
  public long openFor(int bank, long row) {
    if (last[bank] >= 0) {
      int change = last[bank] == row ? 1 : -1;
      trust[bank] = (byte) Math.max(0, Math.min(MOST, trust[bank] + change));
    }
    last[bank] = row;
    return trust[bank] >= 2 ? FOREVER : 0;
  }
}
