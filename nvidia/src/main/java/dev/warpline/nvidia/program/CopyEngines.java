package dev.warpline.nvidia.program;

import dev.warpline.trace.program.StreamTask.Copy;
import dev.warpline.trace.program.StreamTask.Way;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The copy engines: so many of each direction between host and GPU. Copies of one direction wait
 * for each other; while both directions are at work each is a little slower than alone.
 */
final class CopyEngines {
  /** Hears when a copy ends as things stand; the last word on a copy counts. */
  interface Ends {
    void expected(ScheduledStep copy, long cycle);
  }

  /** The engines of a direction. */
  private static final class Direction {
    final List<ScheduledStep> running = new ArrayList<>();
    final ArrayDeque<ScheduledStep> waiting = new ArrayDeque<>();
  }

  private final ProgramCosts costs;
  private final Ends ends;
  private final Direction[] directions = new Direction[Way.values().length];

  /** Until when what is left of the copies is reckoned. */
  private long settled;

  CopyEngines(ProgramCosts costs, Ends ends) {
    this.costs = costs;
    this.ends = ends;
    for (int i = 0; i < directions.length; i++) {
      directions[i] = new Direction();
    }
  }

  /** A copy is ready. */
  void ask(ScheduledStep copy, long cycle) {
    Direction its = of(way(copy));
    if (its.running.size() < costs.engines()) {
      begin(copy, cycle);
    } else {
      its.waiting.add(copy);
    }
  }

  /** A copy has ended: its engine is free. */
  void ended(ScheduledStep copy, long cycle) {
    settle(cycle);
    Direction its = of(way(copy));
    its.running.remove(copy);
    ScheduledStep next = its.waiting.poll();
    if (next == null) {
      expect(cycle);
      return;
    }
    if (cycle > next.ready) {
      next.because = copy;
    }
    begin(next, Math.max(cycle, next.ready));
  }

  private void begin(ScheduledStep copy, long cycle) {
    settle(cycle);
    copy.start = cycle;
    copy.left = costs.takes(copy) + (isBusy(opposite(way(copy))) ? costs.bothWays() : 0);
    of(way(copy)).running.add(copy);
    expect(cycle);
  }

  /** What was done since the last change. */
  private void settle(long cycle) {
    for (Way way : Way.values()) {
      for (ScheduledStep copy : of(way).running) {
        copy.left -= (cycle - settled) * rate(way);
      }
    }
    settled = cycle;
  }

  private void expect(long cycle) {
    for (Way way : Way.values()) {
      for (ScheduledStep copy : of(way).running) {
        ends.expected(copy, Math.round(cycle + Math.max(0, copy.left) / rate(way)));
      }
    }
  }

  private double rate(Way way) {
    return isBusy(opposite(way)) ? costs.bothWaysShare() : 1;
  }

  private boolean isBusy(Way way) {
    return way != null && !of(way).running.isEmpty();
  }

  private Direction of(Way way) {
    return directions[way.ordinal()];
  }

  private static Way way(ScheduledStep copy) {
    return ((Copy) copy.task).way();
  }

  private static Way opposite(Way way) {
    return way == Way.TO_DEVICE ? Way.TO_HOST : way == Way.TO_HOST ? Way.TO_DEVICE : null;
  }
}
