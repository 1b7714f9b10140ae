package dev.warpline.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Launches of one stream in a row, those of different streams side by side. Only so many are looked
 * at, those that run and the next ones of the list, as Accel-Sim does it.
 */
final class InStreams implements Agenda {
  /** A launch that has not started, and since when it is looked at. */
  private record Waiting(int launch, long stream, long since) {}

  private final int atOnce;

  /** Launches that are not looked at yet, and their streams. */
  private final List<Waiting> later = new ArrayList<>();

  private final List<Waiting> waiting = new ArrayList<>();
  private final Map<Integer, Long> running = new HashMap<>();

  /** By stream: when its last launch ended. */
  private final Map<Long, Long> free = new HashMap<>();

  InStreams(TraceSet program, int atOnce) throws IOException {
    this.atOnce = atOnce;
    for (TraceCommand command : program.commands()) {
      if (command instanceof TraceCommand.Launch launch) {
        later.add(new Waiting(launch.index(), program.header(launch).stream(), 0));
      }
    }
    look(0);
  }

  /** Takes as many launches into view as may run. */
  private void look(long now) {
    while (waiting.size() + running.size() < atOnce && !later.isEmpty()) {
      Waiting first = later.remove(0);
      waiting.add(new Waiting(first.launch, first.stream, now));
    }
  }

  @Override
  public Start next(long sure) {
    Start first = null;
    for (Waiting one : waiting) {
      boolean held = running.containsValue(one.stream);
      long cycle = Math.max(one.since, free.getOrDefault(one.stream, 0L));
      if (!held && (first == null || cycle < first.cycle())) {
        first = new Start(one.launch, cycle);
      }
    }
    return first;
  }

  @Override
  public void started(int launch, long cycle) {
    for (Waiting one : waiting) {
      if (one.launch == launch) {
        waiting.remove(one);
        running.put(launch, one.stream);
        return;
      }
    }
    throw new IllegalArgumentException("launch " + launch + " was started, expected one that may");
  }

  @Override
  public void ended(int launch, long cycle) {
    free.merge(running.remove(launch), cycle, Math::max);
    look(cycle);
  }
}
