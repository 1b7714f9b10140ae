package dev.warpline.policy.dram;

import dev.warpline.policy.Named;
import dev.warpline.policy.PagePolicy;

/** Bets on the next access to another row. */
@Named(value = "closed", about = "a row is closed as soon as it was used")
public final class ClosedPage implements PagePolicy {
  @Override
  public long openFor(int bank, long row) {
    return 0;
  }
}
