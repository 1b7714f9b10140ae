package dev.warpline.policy.dram;

import dev.warpline.policy.DramScheduler;
import dev.warpline.policy.Named;

/** FCFS. */
@Named(value = "fcfs", about = "strictly in the order of arrival")
public final class InOrder implements DramScheduler {
  @Override
  public int choose(Requests waiting) {
    return waiting.count() > 0 && waiting.ready(0) ? 0 : NONE;
  }
}
