package dev.warpline.policy.prefetch;

import dev.warpline.policy.Named;
import dev.warpline.policy.Prefetcher;

/** Nothing. */
@Named(value = "none", about = "no line before it is used")
public final class NoPrefetch implements Prefetcher {
  @Override
  public void begin(int lines) {}

  @Override
  public void moved(long line, boolean missed) {}

  @Override
  public long first() {
    return 0;
  }

  @Override
  public long last() {
    return -1;
  }
}
