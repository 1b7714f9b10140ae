package dev.warpline.web.server;

import dev.warpline.engine.RunResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The queue of simulations: one runs, the others wait; the last ones are remembered. */
final class Simulations implements AutoCloseable {
  private static final int REMEMBERED = 50;
  private static final int WAITING_AT_MOST = 20;

  private final Store store;
  private final Simulator simulator;
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "warpline-simulation");
            thread.setDaemon(true);
            return thread;
          });

  /** Pages that look at the moment. */
  final AtomicInteger watchers = new AtomicInteger();

  Simulations(Store store, Simulator simulator) {
    this.store = store;
    this.simulator = simulator;
  }

  synchronized void start(Job job) throws Refused {
    long open = jobs.values().stream().filter(other -> !other.ended()).count();
    if (open >= WAITING_AT_MOST) {
      throw new Refused(429, open + " simulations are waiting already");
    }
    Path program = store.file("traces", job.trace);
    job.watchedIf(() -> watchers.get() > 0);
    jobs.put(job.id, job);
    if (jobs.size() > REMEMBERED) {
      jobs.values().stream()
          .filter(Job::ended)
          .findFirst()
          .ifPresent(oldest -> jobs.remove(oldest.id));
    }
    worker.execute(() -> run(job, program));
  }

  private void run(Job job, Path program) {
    if (job.ended()) {
      return;
    }
    job.running();
    try {
      RunResult result = simulator.run(program, job.gpu, job.core, job.settings, job);
      store.saveRun(job.id, result);
      job.end(Job.State.DONE, "");
    } catch (CancellationException e) {
      job.end(Job.State.CANCELLED, "");
    } catch (Exception | OutOfMemoryError e) {
      boolean cancelled = job.cancelled();
      job.end(cancelled ? Job.State.CANCELLED : Job.State.FAILED, cancelled ? "" : e.getMessage());
    }
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
  }
}
