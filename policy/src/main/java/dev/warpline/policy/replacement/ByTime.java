package dev.warpline.policy.replacement;

import dev.warpline.policy.Replacement;

/** Keeps the lines of a set in the order of their times; the one with the earliest makes room. */
abstract class ByTime implements Replacement {
  private int ways;

  // By set, and in it by way: the ways before and after it in the order, NONE at its ends.
  private int[] before = new int[0];
  private int[] after = new int[0];

  // By set: the ends.
  private int[] earliest = new int[0];
  private int[] latest = new int[0];

  @Override
  public void begin(int sets, int ways) {
    // Lines that are gone keep their places: a set is asked only when each line has a new one.
    if (ways == this.ways && sets == earliest.length) {
      return;
    }
    this.ways = ways;
    before = new int[sets * ways];
    after = new int[sets * ways];
    earliest = new int[sets];
    latest = new int[sets];
    for (int set = 0; set < sets; set++) {
      latest[set] = ways - 1;
      for (int way = 0; way < ways; way++) {
        before[set * ways + way] = way == 0 ? NONE : way - 1;
        after[set * ways + way] = way == ways - 1 ? NONE : way + 1;
      }
    }
  }

  @Override
  public void filled(int set, int way) {
    renew(set, way);
  }

  final void renew(int set, int way) {
    if (latest[set] == way) {
      return;
    }
    int first = set * ways;
    int earlier = before[first + way];
    int later = after[first + way];
    before[first + later] = earlier;
    if (earlier == NONE) {
      earliest[set] = later;
    } else {
      after[first + earlier] = later;
    }
    after[first + latest[set]] = way;
    before[first + way] = latest[set];
    after[first + way] = NONE;
    latest[set] = way;
  }

  @Override
  public int victim(int set, Lines lines) {
    int way = earliest[set];
    while (way != NONE && !lines.mayLeave(set, way)) {
      way = after[set * ways + way];
    }
    return way;
  }
}
