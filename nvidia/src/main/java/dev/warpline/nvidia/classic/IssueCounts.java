package dev.warpline.nvidia.classic;

import dev.warpline.engine.Counter;
import dev.warpline.engine.Counters;

/** What an SM's schedulers issued. */
final class IssueCounts {
  /** One scheduler. */
  private static final class Scheduler {
    @Counter(value = "cycles in which it issued one instruction", unit = "cycles")
    long single;

    @Counter(value = "cycles in which it issued more", unit = "cycles")
    long dual;
  }

  @Counter("warp instructions issued, by number of active lanes")
  final long[] lanes = new long[33];

  private final Scheduler[] schedulers;

  IssueCounts(int schedulers) {
    this.schedulers = new Scheduler[schedulers];
    for (int s = 0; s < schedulers; s++) {
      this.schedulers[s] = new Scheduler();
    }
  }

  void register(Counters counters) {
    counters.add("issue.", this);
    for (int s = 0; s < schedulers.length; s++) {
      counters.add("issue.scheduler" + s + ".", schedulers[s]);
    }
  }

  /** A scheduler issued so many instructions in a cycle. */
  void count(int scheduler, int instructions) {
    if (instructions == 1) {
      schedulers[scheduler].single++;
    } else {
      schedulers[scheduler].dual++;
    }
  }
}
