package dev.warpline.nvidia;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
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
}
