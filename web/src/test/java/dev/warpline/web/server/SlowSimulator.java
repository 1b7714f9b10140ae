package dev.warpline.web.server;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.SmActivity;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.web.SyntheticRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** A simulator that takes as many steps as a test allows, so that progress can be watched. */
final class SlowSimulator implements Simulator {
  private final Semaphore steps = new Semaphore(0);

  void allow(int count) {
    steps.release(count);
  }

  @Override
  public void check(Submission submission) throws IOException {
    new TraceSimulator(1).check(submission);
  }

  @Override
  public RunResult run(Submission submission, RunOptions options, Progress progress) {
    List<String> settings = submission.settings();
    progress.kernelStarted(1, "_Z6vecaddPKfS0_Pf", 10);
    for (int block = 1; block <= 10; block++) {
      while (!tryStep()) {
        options.stop().check();
        progress.advanced(1000L * block, block - 1, 5000L * block, 52_500);
        tellAndWait(progress);
      }
      progress.advanced(1000L * block + 500, block, 5000L * block + 2500, 52_500);
      if (progress.watchesSms()) {
        progress.sms(1000L * block + 500, activity(block));
        progress.levels(
            1000L * block + 500, Map.of(Level.BLOCKS, 330.0, Level.DRAM_QUEUE, 12.5 * block));
      }
      tellAndWait(progress);
    }
    RunResult run = SyntheticRun.run(ProfileOptions.NO_TIMELINE, settings.isEmpty() ? 12 : 15);
    Map<String, String> configuration = new LinkedHashMap<>(run.configuration());
    for (String setting : settings) {
      configuration.put(
          setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
    }
    run.kernels().forEach(progress::kernelFinished);
    return new RunResult(submission.gpu(), "modern", run.coreMHz(), run.kernels(), run.simulation())
        .withConfiguration(configuration)
        .withWarnings(settings.isEmpty() ? List.of() : List.of("classic.depth has no effect"));
  }

  private static void tellAndWait(Progress progress) {
    if (progress.asksWhoWaits()) {
      progress.waiting("SM 0: warps 0, 1 at pc 0x40 waits for dram");
    }
    progress.reported();
  }

  /** SMs that issue more and more; the odd ones wait for DRAM, the even ones at a barrier. */
  private static List<SmActivity> activity(int block) {
    List<SmActivity> all = new ArrayList<>();
    for (int sm = 0; sm < 132; sm++) {
      long[] reasons = new long[StallReason.COUNT];
      reasons[StallReason.SELECTED.ordinal()] = 100L * block * block * (1 + sm % 7);
      StallReason wait = sm % 2 == 0 && block < 9 ? StallReason.BARRIER : StallReason.DRAM;
      reasons[wait.ordinal()] = 20_000L * block;
      all.add(new SmActivity(sm, 1 + sm % 4, 8 * (1 + sm % 4), reasons));
    }
    return all;
  }

  private boolean tryStep() {
    try {
      return steps.tryAcquire(20, java.util.concurrent.TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false; // somebody stops the run; the signal says why
    }
  }
}
