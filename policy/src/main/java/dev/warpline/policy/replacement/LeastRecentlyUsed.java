package dev.warpline.policy.replacement;

import dev.warpline.policy.Named;

/** LRU. */
@Named(value = "lru", about = "the line whose last use is longest ago")
public final class LeastRecentlyUsed extends ByTime {
  @Override
  public void used(int set, int way) {
    renew(set, way);
  }
}
