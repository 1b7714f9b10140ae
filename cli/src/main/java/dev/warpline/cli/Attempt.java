package dev.warpline.cli;

import dev.warpline.engine.FinishedKernels;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.GpuDescription;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * What came of a simulation, however far it got.
 *
 * @param result the kernels that ended, marked unfinished if something ended it early
 * @param failure what ended it early, null if nothing did
 * @param failedChecks checks of a launch file that failed, in words
 */
record Attempt(RunResult result, Exception failure, List<String> failedChecks) {
  /** A simulation. */
  @FunctionalInterface
  interface Simulation {
    RunResult run(Progress progress) throws IOException;
  }

  /** The result before the first kernel. */
  static RunResult nothing(GpuDescription gpu, String core, int threads) {
    return new RunResult(
        gpu.name(),
        core,
        gpu.clocks().coreMHz(),
        List.of(),
        new RunResult.Simulation(threads, 0, 0, 0));
  }

  /**
   * Simulates. Whatever goes wrong, the kernels that ended before are in the result.
   *
   * @param nothing see {@link #nothing}
   */
  static Attempt of(RunResult nothing, Progress watcher, Simulation simulation) {
    FinishedKernels finished = new FinishedKernels(watcher);
    long began = System.nanoTime();
    try {
      return new Attempt(simulation.run(finished), null, List.of());
    } catch (IOException | RuntimeException e) {
      return new Attempt(partial(nothing, finished.kernels(), began, e), e, List.of());
    } catch (OutOfMemoryError e) {
      UnfinishedSimulationException words = new UnfinishedSimulationException(words(e));
      words.initCause(e);
      return new Attempt(partial(nothing, finished.kernels(), began, words), words, List.of());
    }
  }

  /** What a lack of memory says, and what helps. */
  static String words(OutOfMemoryError lack) {
    long most = Runtime.getRuntime().maxMemory();
    return String.format(
        Locale.ROOT,
        "needs more than the %,d MB of memory that Java takes here (%s);"
            + " WARPLINE_JAVA_OPTS=-Xmx%dg gives twice as much",
        most >> 20,
        lack.getMessage(),
        (2 * most >> 30) + 1);
  }

  private static RunResult partial(
      RunResult nothing, List<KernelResult> kernels, long began, Exception why) {
    double seconds = (System.nanoTime() - began) / 1e9;
    long instructions = kernels.stream().mapToLong(KernelResult::warpInstructions).sum();
    Runtime runtime = Runtime.getRuntime();
    return nothing
        .withKernels(kernels)
        .withUnfinished(Main.words(why))
        .withSimulation(
            new RunResult.Simulation(
                nothing.simulation().threads(),
                seconds,
                instructions / seconds,
                runtime.totalMemory() - runtime.freeMemory()));
  }

  /** The same with more to say about the whole run. */
  Attempt withWarnings(List<String> more) {
    return new Attempt(result.withWarnings(more), failure, failedChecks);
  }
}
