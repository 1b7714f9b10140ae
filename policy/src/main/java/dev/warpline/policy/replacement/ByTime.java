package dev.warpline.policy.replacement;

import dev.warpline.policy.Replacement;

/** Keeps a time per line; the line with the earliest makes room. */
abstract class ByTime implements Replacement {
  private int ways;
  private long[] times = new long[0];
  private long now;

  @Override
  public void begin(int sets, int ways) {
    // Times of lines that are gone stay: a set is asked only when each of its lines has a new one.
    this.ways = ways;
    if (times.length != sets * ways) {
      times = new long[sets * ways];
    }
  }

  @Override
  public void filled(int set, int way) {
    times[set * ways + way] = ++now;
  }

  final void renew(int set, int way) {
    times[set * ways + way] = ++now;
  }

  @Override
  public int victim(int set, Lines lines) {
    long earliest = Long.MAX_VALUE;
    int victim = NONE;
    int first = set * ways;
    for (int way = 0; way < ways; way++) {
      long time = times[first + way];
      if (time < earliest && lines.mayLeave(set, way)) {
        earliest = time;
        victim = way;
      }
    }
    return victim;
  }
}
