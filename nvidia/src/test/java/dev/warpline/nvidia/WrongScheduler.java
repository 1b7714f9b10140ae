package dev.warpline.nvidia;

import dev.warpline.policy.Named;
import dev.warpline.policy.WarpScheduler;

/** A scheduler as a user might write it by mistake: it never looks at who can issue. */
@Named(value = "wrong", about = "warp 63, always")
public final class WrongScheduler implements WarpScheduler {
  @Override
  public int choose(long eligible, long held, long onMemory) {
    return 63;
  }
}
