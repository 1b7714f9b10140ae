package dev.warpline.policy.dram;

import dev.warpline.policy.DramScheduler;
import dev.warpline.policy.Named;

/** FR-FCFS. */
@Named(
    value = "fr-fcfs",
    about = "the oldest request whose row is open, then the oldest that can do anything")
public final class FirstReady implements DramScheduler {
  @Override
  public int choose(Requests waiting) {
    int oldest = NONE;
    for (int i = 0; i < waiting.count(); i++) {
      if (waiting.ready(i)) {
        if (waiting.hits(i)) {
          return i;
        }
        oldest = oldest == NONE ? i : oldest;
      }
    }
    return oldest;
  }
}
