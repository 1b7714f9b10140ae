package dev.warpline.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A fixed crew of threads that runs one step of many independent tasks at a time: the SMs of a
 * window, the channels of a memory system. The caller works too, so one worker means no other
 * thread at all, and a helper that wakes late costs nothing. Which thread runs which task is not
 * fixed; results must not depend on it. Half of the crew begins with the first tasks, the other
 * half with the last, so that most tasks stay where the caches have what they use.
 */
public final class Workers implements AutoCloseable {
  /** A step over many independent tasks. */
  @FunctionalInterface
  public interface Step {
    void run(int task);
  }

  /** A helper and its number among the crew. */
  private static final class Worker extends Thread {
    final int number;

    Worker(Runnable task, int number) {
      super(task, "warpline-worker-" + number);
      this.number = number;
    }
  }

  /**
   * How often a thread looks for work before it sleeps: some 0.5 ms. What is done between two steps
   * is mostly shorter, and to be woken takes longer than to wait.
   */
  private static final int SPINS = 30_000;

  /** The same where there are more threads than processors: others have something to do. */
  private static final int FEW_SPINS = 1_000;

  private static final int FIELD = 20;
  private static final long FIELD_MASK = (1 << FIELD) - 1;

  private final Thread[] threads;
  private final int spins;

  /** Round, and where its tasks left end and begin, in one number so that they never mix. */
  private final AtomicLong state = new AtomicLong();

  private final AtomicInteger finished = new AtomicInteger();
  private volatile boolean closed;
  private Step step;
  private long round;
  private Throwable failure;
  private int failedTask;

  public Workers(int workers) {
    threads = new Thread[Math.max(1, workers) - 1];
    spins = workers > Runtime.getRuntime().availableProcessors() ? FEW_SPINS : SPINS;
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Worker(this::work, i + 1);
      threads[i].setDaemon(true);
      threads[i].start();
    }
  }

  /** Threads at work, the caller included. */
  public int count() {
    return threads.length + 1;
  }

  /** The calling thread's number in its crew, below {@link #count}; the crew's caller is 0. */
  public static int current() {
    return Thread.currentThread() instanceof Worker helper ? helper.number : 0;
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
    finished.set(0);
    round++;
    state.set(round << 2 * FIELD | (long) tasks << FIELD);
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
    }
    drain(false);
    int looks = 0;
    while (finished.get() < tasks) {
      if (++looks < spins) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    synchronized (this) {
      if (failure != null) {
        Throwable first = failure;
        failure = null;
        if (first instanceof RuntimeException plain) {
          throw plain;
        }
        throw new IllegalStateException("a worker stopped: " + first, first);
      }
    }
  }

  /** Runs tasks of the current round, from one end on, until there are none left. */
  private void drain(boolean lastFirst) {
    for (long left = state.get(); hasTask(left); left = state.get()) {
      long rest = lastFirst ? left - (1L << FIELD) : left + 1;
      if (!state.compareAndSet(left, rest)) {
        continue;
      }
      int task = (int) ((lastFirst ? rest >>> FIELD : left) & FIELD_MASK);
      try {
        step.run(task);
      } catch (Throwable t) {
        failed(task, t);
      }
      finished.incrementAndGet();
    }
  }

  private static boolean hasTask(long state) {
    return (state & FIELD_MASK) < (state >>> FIELD & FIELD_MASK);
  }

  /** Keeps the failure of the first task, so that what is reported does not depend on threads. */
  private synchronized void failed(int task, Throwable t) {
    if (failure == null || task < failedTask) {
      failure = t;
      failedTask = task;
    }
  }

  private void work() {
    boolean lastFirst = (current() & 1) != 0;
    int looks = 0;
    while (!closed) {
      if (hasTask(state.get())) {
        drain(lastFirst);
        looks = 0;
      } else if (++looks < spins) {
        Thread.onSpinWait();
      } else {
        LockSupport.park(this);
      }
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
