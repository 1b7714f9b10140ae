package dev.warpline.study.sweep;

import com.sun.management.ThreadMXBean;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.BaseGpu;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.study.GpuSource;
import dev.warpline.study.store.Point;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * This process: a point per thread, as many at a time as threads and memory allow. What a point
 * needs is what points of its trace before it have allocated, and never more than the budget, so
 * that a large one runs alone. One for which memory does not suffice while others run is simulated
 * again when they are through.
 */
public final class Local implements On {
  /** What a point is taken to need before one of its trace has run. */
  private static final long UNKNOWN_BYTES = 256L << 20;

  private static final int KEPT_GPUS = 16;
  private static final long WAIT_MILLIS = 200;

  private final int threads;
  private final long budget;
  private final StopSignal stop;
  private final Simulator simulator;
  private final ExecutorService pool;
  private final Map<String, Long> needs = new HashMap<>();
  private final Map<String, BaseGpu> bases = new HashMap<>();
  private final Map<String, GpuDescription> gpus =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, GpuDescription> eldest) {
          return size() > KEPT_GPUS;
        }
      };
  private final ThreadMXBean allocation =
      (ThreadMXBean) ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private int running;

  /** Bytes for the points that were taken, and for those of them that have begun. */
  private long reserved;

  private long used;

  /** Points that memory did not suffice for: they wait until the others are through. */
  private int waiting;

  /**
   * @param threads points at a time
   * @param budget bytes that they may need together
   * @param stop ends all of them
   */
  public Local(int threads, long budget, StopSignal stop) {
    this(threads, budget, stop, null);
  }

  /** What simulates a point: a test's own, or null for the real one. */
  interface Simulator {
    RunResult run(Point point) throws IOException;
  }

  Local(int threads, long budget, StopSignal stop, Simulator simulator) {
    this.threads = threads;
    this.budget = budget;
    this.stop = stop;
    this.simulator = simulator != null ? simulator : p -> PointRun.of(p, gpu(p), stop);
    pool = Executors.newFixedThreadPool(threads);
  }

  @Override
  public int width() {
    return threads;
  }

  @Override
  public synchronized int room() {
    return running == 0 || running < threads && reserved < budget && waiting == 0 ? 1 : 0;
  }

  @Override
  public synchronized void begin(Point point, Consumer<Ended> ended) {
    long need =
        Math.min(budget, needs.getOrDefault(point.traceSha256(), Math.min(UNKNOWN_BYTES, budget)));
    running++;
    reserved += need;
    pool.execute(() -> ended.accept(simulate(point, need)));
  }

  private Ended simulate(Point point, long need) {
    enter(need);
    long began = System.nanoTime();
    try {
      long before = allocation.getCurrentThreadAllocatedBytes();
      Ended first = attempt(point, began);
      if (first != null) {
        learn(point, allocation.getCurrentThreadAllocatedBytes() - before);
        return first;
      }
      waitForTheOthers();
      Ended second = attempt(point, began);
      return second != null
          ? second
          : new Ended(
              point,
              null,
              "out of memory, even alone; WARPLINE_JAVA_OPTS=-Xmx16g gives more",
              seconds(began));
    } finally {
      release(need);
    }
  }

  /** Null if memory did not suffice. */
  private Ended attempt(Point point, long began) {
    try {
      RunResult result = simulator.run(point);
      return new Ended(point, result, null, seconds(began));
    } catch (OutOfMemoryError e) {
      return null;
    } catch (IOException | RuntimeException e) {
      boolean interrupted = e instanceof UnfinishedSimulationException && stop.reason() != null;
      return new Ended(point, null, interrupted ? null : PointRun.words(e), seconds(began));
    }
  }

  /** Points follow each other by machine, which is made once for all its traces. */
  private GpuDescription gpu(Point point) throws IOException {
    synchronized (gpus) {
      GpuDescription known = gpus.get(point.descriptionSha256());
      if (known == null) {
        BaseGpu base = bases.get(point.gpu());
        if (base == null) {
          base = new GpuSource(point.gpu()).base();
          bases.put(point.gpu(), base);
        }
        known = base.with(point.settings()).gpu();
        gpus.put(point.descriptionSha256(), known);
      }
      return known;
    }
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  /** The last point that was taken may be too much for now. */
  private synchronized void enter(long need) {
    try {
      while (used > 0 && used + need > budget && stop.reason() == null) {
        wait(WAIT_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    used += need;
  }

  private synchronized void learn(Point point, long bytes) {
    needs.merge(point.traceSha256(), bytes, Math::max);
  }

  private synchronized void release(long need) {
    reserved -= need;
    used -= need;
    running--;
    notifyAll();
  }

  private synchronized void waitForTheOthers() {
    waiting++;
    try {
      while (running > waiting && stop.reason() == null) {
        wait(WAIT_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      // Now it is one of those that the next waits for.
      waiting--;
    }
  }

  @Override
  public void close() {
    pool.shutdown();
    try {
      while (!pool.awaitTermination(1, TimeUnit.HOURS)) {
        // Points may take days.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
