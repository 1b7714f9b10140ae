package dev.warpline.policy.replacement;

import dev.warpline.policy.Named;

/** FIFO. */
@Named(value = "fifo", about = "the line that came first, however often it was used")
public final class FirstInFirstOut extends ByTime {
  @Override
  public void used(int set, int way) {
    // A use is no reason to stay.
  }
}
