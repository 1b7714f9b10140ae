package dev.warpline.study.sweep;

import dev.warpline.engine.StopSignal;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Has the points of a plan simulated that the store lacks, beside others who may do the same. */
public final class Sweep {
  private static final long BEAT_SECONDS = 15;
  private static final long LOOK_MILLIS = 300;

  /** Points that are claimed at a time at most, so that others who share the work have some. */
  private static final int MOST_CLAIMED = 64;

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
  private final Set<String> running = new HashSet<>();
  private int simulated;
  private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
  private final long began = System.nanoTime();
  private long claiming;
  private long storing;
  private long first;
  private long last;
  private double simulatedSeconds;
  private On.Carried carried;
  private int slots;

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
    ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor();
    try {
      if (!renew) {
        checkVersion();
      }
      store.plan(plan.known(), plan.members(), plan.points(), plan.refused(), plan.descriptions());
      store.alive();
      heart.scheduleAtFixedRate(this::beat, BEAT_SECONDS, BEAT_SECONDS, TimeUnit.SECONDS);
      if (retryFailed) {
        store.reopenFailed(name);
      }
      work(on);
    } finally {
      heart.shutdownNow();
      on.close();
      collect();
      carried = on.carried();
      store.leave();
      on.stored();
    }
    return state(on.width());
  }

  /** What it cost beside the simulations, once it is over. */
  public Costs costs() {
    return new Costs(
        simulated,
        slots,
        claiming / 1e9,
        storing / 1e9,
        carried,
        simulated == 0 ? 0 : (first - began) / 1e9,
        simulated == 0 ? 0 : (last - began) / 1e9,
        simulatedSeconds);
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
      for (int room = on.room(); room > 0 && stop.reason() == null; room = on.room()) {
        long now = clock.getCurrentThreadCpuTime();
        List<String> claimed = store.claim(name, Math.min(room, MOST_CLAIMED));
        claiming += clock.getCurrentThreadCpuTime() - now;
        if (claimed.isEmpty()) {
          break;
        }
        for (String id : claimed) {
          begin(on, point(id));
        }
      }
      slots = Math.max(slots, on.width());
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

  private Point point(String id) throws DescriptionException {
    Point point = plan.points().get(id);
    if (point == null) {
      throw new DescriptionException(
          store.file()
              + ": another process has changed the study "
              + plan.study().name()
              + " meanwhile; the same command goes on with this one's points");
    }
    return point;
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
      List<On.Ended> ends = new ArrayList<>();
      synchronized (ended) {
        while (!ended.isEmpty() && ends.size() < MOST_CLAIMED) {
          ends.add(ended.poll());
          running.remove(ends.get(ends.size() - 1).point().id());
        }
      }
      if (ends.isEmpty()) {
        return;
      }
      first = first == 0 ? System.nanoTime() : first;
      long now = clock.getCurrentThreadCpuTime();
      store.together(
          () -> {
            for (On.Ended end : ends) {
              write(end);
            }
          });
      storing += clock.getCurrentThreadCpuTime() - now;
      last = System.nanoTime();
      for (On.Ended end : ends) {
        simulatedSeconds += end.seconds();
        simulated += end.result() != null || end.failure() != null ? 1 : 0;
        if (end.result() == null && end.failure() != null) {
          watcher.failed(end.point(), end.failure());
        }
      }
    }
  }

  private void write(On.Ended end) throws IOException {
    String id = end.point().id();
    if (end.result() != null) {
      store.done(id, end.result(), end.seconds());
    } else if (end.failure() != null) {
      store.failed(id, end.failure(), end.seconds());
    } else {
      store.release(List.of(id));
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
