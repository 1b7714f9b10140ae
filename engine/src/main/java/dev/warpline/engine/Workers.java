package dev.warpline.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A fixed crew of threads that runs one step of many independent tasks at a time: the SMs of a
 * window, the channels of a memory system. The caller works too, so one worker means no other
 * thread at all. Which thread runs which task is not fixed; results must not depend on it.
 */
public final class Workers implements AutoCloseable {
  /** A step over many independent tasks. */
  @FunctionalInterface
  public interface Step {
    void run(int task);
  }

  private static final int SPINS = 20_000;

  private final Thread[] threads;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger finished = new AtomicInteger();
  private volatile int round;
  private volatile boolean closed;
  private volatile Throwable failure;
  private Step step;
  private int tasks;

  public Workers(int workers) {
    threads = new Thread[Math.max(1, workers) - 1];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(this::work, "warpline-worker-" + (i + 1));
      threads[i].setDaemon(true);
      threads[i].start();
    }
  }

  /** Threads at work, the caller included. */
  public int count() {
    return threads.length + 1;
  }

  /** Runs {@code step} for tasks 0 to {@code tasks - 1} and returns when all are done. */
  public void run(int tasks, Step step) {
    if (threads.length == 0 || tasks <= 1) {
      for (int i = 0; i < tasks; i++) {
        step.run(i);
      }
      return;
    }
    this.step = step;
    this.tasks = tasks;
    next.set(0);
    finished.set(0);
    round++;
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
    }
    drain();
    while (finished.get() < threads.length) {
      Thread.onSpinWait();
    }
    if (failure != null) {
      Throwable first = failure;
      failure = null;
      throw new IllegalStateException("a worker stopped: " + first, first);
    }
  }

  private void drain() {
    try {
      for (int i = next.getAndIncrement(); i < tasks; i = next.getAndIncrement()) {
        step.run(i);
      }
    } catch (Throwable t) {
      failure = t;
      next.set(tasks);
    }
  }

  private void work() {
    int seen = 0;
    while (true) {
      int spins = 0;
      while (round == seen && !closed) {
        if (++spins < SPINS) {
          Thread.onSpinWait();
        } else {
          LockSupport.park(this);
        }
      }
      if (closed) {
        return;
      }
      seen = round;
      drain();
      finished.incrementAndGet();
    }
  }

  @Override
  public void close() {
    closed = true;
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
    }
  }
}
