package dev.warpline.web.server;

import dev.warpline.engine.Origin;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.study.Simulation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The queue of simulations: one runs, the others wait; the last ones are remembered. */
final class Simulations implements AutoCloseable {
  private static final int REMEMBERED = 50;
  private static final int WAITING_AT_MOST = 20;

  private final Store store;
  private final Simulator simulator;
  private final BooleanSupplier watched;
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(task -> Patience.daemon(task, "warpline-simulation"));
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> Patience.daemon(task, "warpline-time-limit"));

  /**
   * @param watched whether somebody looks
   */
  Simulations(Store store, Simulator simulator, BooleanSupplier watched) {
    this.store = store;
    this.simulator = simulator;
    this.watched = watched;
  }

  synchronized void start(Job job) throws Refused {
    long open = jobs.values().stream().filter(other -> !other.ended()).count();
    if (open >= WAITING_AT_MOST) {
      throw new Refused(429, open + " simulations are waiting already");
    }
    job.watchedIf(watched);
    jobs.put(job.id, job);
    if (jobs.size() > REMEMBERED) {
      jobs.values().stream()
          .filter(Job::ended)
          .findFirst()
          .ifPresent(oldest -> jobs.remove(oldest.id));
    }
    worker.execute(() -> run(job));
  }

  private void run(Job job) {
    if (!job.begins()) {
      return;
    }
    RunLimits limits = job.submission.limits();
    Future<?> timeLimit =
        clock.schedule(
            () -> job.stop("more than " + limits.seconds() + " s, the limit of this run"),
            limits.seconds(),
            TimeUnit.SECONDS);
    try {
      RunOptions options =
          new RunOptions(
              1,
              limits.cycles(),
              limits.instructions(),
              (id, name) -> true,
              ProfileOptions.NO_TIMELINE,
              job.signal);
      RunResult result = simulator.run(job.submission, options, job);
      job.simulated();
      if (result.unfinished() != null && job.signal.reason() != null) {
        result = result.withUnfinished(job.signal.reason());
      }
      store.saveRun(job.id, result.withOrigin(origin(job.submission, result)));
      if (result.unfinished() == null) {
        job.done();
      } else {
        job.failed(store.inside(result.unfinished()), result.kernels().size());
      }
    } catch (Exception | OutOfMemoryError | StackOverflowError e) {
      job.simulated();
      job.failed(store.inside(e.getMessage() == null ? e.toString() : e.getMessage()), 0);
    } finally {
      timeLimit.cancel(false);
    }
  }

  /** Refuses to change a trace that a run reads or is going to read. */
  synchronized void refuseInUse(String trace) throws Refused {
    for (Job job : jobs.values()) {
      if (!job.ended() && job.submission.trace().equals(trace)) {
        throw new Refused(409, trace + " is in use: simulation " + job.id + " reads it");
      }
    }
  }

  /** What a result rests on, in the words of the one who asked for it. */
  private static Origin origin(Submission asked, RunResult result) throws IOException {
    Origin known = result.origin();
    if (known == null) {
      List<Path> files = Simulation.files(asked.program());
      return Origin.of(asked.command(), Path.of(asked.trace()), files, result.configuration());
    }
    return new Origin(
        known.version(),
        known.build(),
        asked.command(),
        asked.trace(),
        known.inputBytes(),
        known.inputSha256(),
        known.descriptionSha256());
  }

  synchronized List<Job.Snapshot> snapshots() {
    List<Job.Snapshot> list = new ArrayList<>();
    jobs.values().forEach(job -> list.add(0, job.snapshot()));
    return list;
  }

  synchronized Job job(String id) throws Refused {
    Job job = jobs.get(id);
    if (job == null) {
      throw new Refused(404, "there is no simulation \"" + id + "\"");
    }
    return job;
  }

  @Override
  public void close() {
    synchronized (this) {
      jobs.values().forEach(Job::cancel);
    }
    worker.shutdownNow();
    clock.shutdownNow();
  }
}
