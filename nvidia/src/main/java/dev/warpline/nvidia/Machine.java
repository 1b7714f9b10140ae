package dev.warpline.nvidia;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.trace.Agenda;
import dev.warpline.trace.TraceSet;
import java.io.IOException;

/**
 * A GPU that runs traced programs. One per run: caches and clocks keep their state from kernel to
 * kernel and start cold.
 */
public interface Machine {
  /**
   * Runs the launches of a program in order.
   *
   * @throws dev.warpline.engine.UnfinishedSimulationException when a limit is met or nothing moves
   *     any more
   */
  RunResult run(TraceSet program, RunOptions options, Progress progress) throws IOException;

  /**
   * Runs the launches of a program when an agenda lets them start.
   *
   * @throws IllegalArgumentException where the core knows no other order than the list's
   */
  default RunResult run(TraceSet program, Agenda agenda, RunOptions options, Progress progress)
      throws IOException {
    throw new IllegalArgumentException(
        "this core starts launches in the order of their list; expected one that follows an agenda");
  }
}
