package dev.warpline.study.sweep;

import dev.warpline.engine.StopSignal;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Has the points of a plan simulated that the store lacks, beside others who may do the same. */
public final class Sweep {
  private static final long BEAT_SECONDS = 15;
  private static final long LOOK_MILLIS = 300;

  /** Somebody who watches a sweep. */
  public interface Watcher {
    /** A point has no result, and why. */
    void failed(Point point, String message);

    /** How far it is. */
    void advanced(State state);
  }

  /**
   * How far a sweep is.
   *
   * @param count the study's points by state, whoever simulated them
   * @param simulated points that this process ended
   * @param running points that it simulates now
   * @param secondsLeft from what points of the same trace took; of traces that were not met yet the
   *     mean of the others; NaN before the first
   * @param unknown points left of traces that were not met yet
   */
  public record State(
      ResultStore.Count count, int simulated, int running, double secondsLeft, int unknown) {}

  private final Plan plan;
  private final ResultStore store;
  private final StopSignal stop;
  private final Watcher watcher;
  private final Queue<On.Ended> ended = new ArrayDeque<>();
  private final List<String> running = new ArrayList<>();
  private int simulated;

  public Sweep(Plan plan, ResultStore store, StopSignal stop, Watcher watcher) {
    this.plan = plan;
    this.store = store;
    this.stop = stop;
    this.watcher = watcher;
  }

  /**
   * Simulates what is missing.
   *
   * @param renew whether a study that another build simulated may be simulated again
   * @param retryFailed whether points that failed are tried again
   * @throws DescriptionException if the store's results of the study are another build's
   */
  public State run(On on, boolean renew, boolean retryFailed) throws IOException {
    String name = plan.study().name();
    if (!renew) {
      checkVersion();
    }
    store.plan(plan.known(), plan.members(), plan.points(), plan.refused(), plan.descriptions());
    store.alive();
    ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor();
    heart.scheduleAtFixedRate(this::beat, BEAT_SECONDS, BEAT_SECONDS, TimeUnit.SECONDS);
    try {
      if (retryFailed) {
        store.reopenFailed(name);
      }
      work(on);
    } finally {
      heart.shutdownNow();
      on.close();
      collect();
      store.leave();
    }
    return state(on.width());
  }

  private void checkVersion() throws IOException {
    for (ResultStore.Known known : store.studies()) {
      boolean ours = known.name().equals(plan.study().name());
      if (ours && !known.version().equals(plan.version())) {
        throw new DescriptionException(
            store.file()
                + ": the results of "
                + known.name()
                + " are of another build of Warpline ("
                + known.build()
                + "), whose points this one would simulate again; --renew does that and keeps the"
                + " old results, another --store leaves them alone; nothing was changed");
      }
    }
  }

  private void beat() {
    try {
      store.alive();
    } catch (IOException e) {
      // The next write to the store fails as well and is heard.
    }
  }

  private void work(On on) throws IOException {
    String name = plan.study().name();
    long next = 0;
    while (stop.reason() == null) {
      collect();
      while (on.hasRoom() && stop.reason() == null) {
        List<String> claimed = store.claim(name, 1);
        if (claimed.isEmpty()) {
          break;
        }
        Point point = plan.points().get(claimed.get(0));
        if (point == null) {
          throw new DescriptionException(
              store.file()
                  + ": another process has changed the study "
                  + name
                  + " meanwhile; the same command goes on with this one's points");
        }
        begin(on, point);
      }
      boolean idle = running() == 0;
      if (idle || System.nanoTime() > next) {
        State now = state(on.width());
        watcher.advanced(now);
        if (idle && now.count().open() + now.count().claimed() == 0) {
          return;
        }
        next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
      }
      sleep();
    }
  }

  private void begin(On on, Point point) {
    synchronized (ended) {
      running.add(point.id());
    }
    on.begin(
        point,
        end -> {
          synchronized (ended) {
            ended.add(end);
            ended.notifyAll();
          }
        });
  }

  private int running() {
    synchronized (ended) {
      return running.size();
    }
  }

  /** Until a point ends, or some time for points of other processes. */
  private void sleep() {
    synchronized (ended) {
      if (!ended.isEmpty()) {
        return;
      }
      try {
        ended.wait(LOOK_MILLIS);
      } catch (InterruptedException e) {
        stop.stop("interrupted");
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Writes down what ended. */
  private void collect() throws IOException {
    while (true) {
      On.Ended end;
      synchronized (ended) {
        end = ended.poll();
        if (end == null) {
          return;
        }
        running.remove(end.point().id());
      }
      String id = end.point().id();
      if (end.result() != null) {
        store.done(id, end.result(), end.seconds());
        simulated++;
      } else if (end.failure() != null) {
        store.failed(id, end.failure(), end.seconds());
        simulated++;
        watcher.failed(end.point(), end.failure());
      } else {
        store.release(List.of(id));
      }
    }
  }

  private State state(int width) throws IOException {
    ResultStore.Count count = store.count(plan.study().name());
    Map<String, Double> seconds = store.seconds();
    double mean = seconds.values().stream().mapToDouble(s -> s).average().orElse(Double.NaN);
    double left = 0;
    int unknown = 0;
    for (Map.Entry<String, Integer> trace : store.left(plan.study().name()).entrySet()) {
      Double each = seconds.get(trace.getKey());
      unknown += each == null ? trace.getValue() : 0;
      left += trace.getValue() * (each == null ? mean : each);
    }
    return new State(count, simulated, running(), left / width, unknown);
  }
}
