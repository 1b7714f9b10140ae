package dev.warpline.web.server;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import java.io.IOException;

/** Whatever runs a program of the store on a GPU. */
public interface Simulator {
  /**
   * Finds out, before it waits for its turn, whether something can be run.
   *
   * @throws IOException saying what is wrong with the GPU, the core or the settings
   */
  void check(Submission submission) throws IOException;

  /**
   * Simulates as far as it gets; ends soon after the options' stop signal is set or the thread is
   * interrupted.
   */
  RunResult run(Submission submission, RunOptions options, Progress progress) throws IOException;
}
