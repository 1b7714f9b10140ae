package dev.warpline.web.server;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.study.Simulation;
import java.io.IOException;

/** Simulates traced programs on so many threads. */
public record TraceSimulator(int threads) implements Simulator {
  @Override
  public void check(Submission submission) throws IOException {
    simulation(submission).check();
  }

  @Override
  public RunResult run(Submission submission, RunOptions options, Progress progress)
      throws IOException {
    return simulation(submission)
        .options(options.withThreads(threads))
        .progress(progress)
        .attempt();
  }

  private static Simulation simulation(Submission submission) throws IOException {
    Simulation simulation = Simulation.of(submission.program()).gpu(submission.gpuSource());
    if (!submission.core().isEmpty()) {
      simulation = simulation.core(submission.core());
    }
    for (String setting : submission.settings()) {
      simulation = simulation.set(setting);
    }
    return simulation;
  }
}
