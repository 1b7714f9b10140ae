package dev.warpline.policy.dram;

import dev.warpline.policy.Named;
import dev.warpline.policy.PagePolicy;

/** Bets on the next access to the same row. */
@Named(value = "open", about = "a row stays open until another one of its bank is needed")
public final class OpenPage implements PagePolicy {
  @Override
  public long openFor(int bank, long row) {
    return FOREVER;
  }
}
