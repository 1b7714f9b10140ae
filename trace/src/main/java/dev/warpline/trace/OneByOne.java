package dev.warpline.trace;

import java.util.ArrayDeque;
import java.util.Deque;

/** Launches in a row: each starts as the one before it ends. */
final class OneByOne implements Agenda {
  private final Deque<Integer> waiting = new ArrayDeque<>();
  private boolean running;
  private long free;

  OneByOne(TraceSet program) {
    for (TraceCommand command : program.commands()) {
      if (command instanceof TraceCommand.Launch launch) {
        waiting.add(launch.index());
      }
    }
  }

  @Override
  public Start next(long sure) {
    return running || waiting.isEmpty() ? null : new Start(waiting.getFirst(), free);
  }

  @Override
  public void started(int launch, long cycle) {
    waiting.removeFirst();
    running = true;
  }

  @Override
  public void ended(int launch, long cycle) {
    running = false;
    free = cycle;
  }
}
