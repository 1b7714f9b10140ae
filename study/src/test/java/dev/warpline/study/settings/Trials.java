package dev.warpline.study.settings;

import dev.warpline.engine.StopSignal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Runs many trials, each for a limited time, and collects what went wrong. */
final class Trials {
  /** A trial that takes longer hangs, for all that anybody can tell. */
  private static final int SECONDS = Integer.getInteger("settings.seconds", 20);

  private static final int THREADS = 2;
  private static final int SHOWN = 25;

  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger ran = new AtomicInteger();

  /** Failures in words, not too many of them. */
  List<String> failures() {
    return failures;
  }

  /** Trials that were simulated. */
  int ran() {
    return ran.get();
  }

  /** Runs trials 0 to {@code count - 1}. */
  Trials run(int count, IntFunction<Trial> trials) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    List<Thread> crew = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      Thread thread = new Thread(() -> work(count, next, trials));
      thread.start();
      crew.add(thread);
    }
    for (Thread thread : crew) {
      thread.join();
    }
    return this;
  }

  private void work(int count, AtomicInteger next, IntFunction<Trial> trials) {
    ExecutorService executor = Executors.newCachedThreadPool();
    try {
      for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
        Trial trial = trials.apply(i);
        String failure = attempt(executor, trial);
        if (failure != null && failures.size() < SHOWN) {
          failures.add(i + ", " + trial + ": " + failure);
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }

  /** Runs a trial; returns what is wrong, or null. */
  private String attempt(ExecutorService executor, Trial trial) {
    StopSignal stop = new StopSignal();
    Thread[] at = new Thread[1];
    Future<Trial.Outcome> outcome =
        executor.submit(
            () -> {
              at[0] = Thread.currentThread();
              return trial.outcome(stop);
            });
    try {
      Trial.Outcome result = outcome.get(SECONDS, TimeUnit.SECONDS);
      ran.addAndGet(result.ran() ? 1 : 0);
      return result.failure();
    } catch (TimeoutException e) {
      String where = stack(at[0]);
      stop.stop("took too long");
      try {
        outcome.get(SECONDS, TimeUnit.SECONDS);
        return "hangs, but can be stopped" + where;
      } catch (TimeoutException late) {
        return "hangs out of reach of the stop signal" + stack(at[0]);
      } catch (ExecutionException | InterruptedException late) {
        return "hangs" + trace(late);
      }
    } catch (ExecutionException e) {
      return trace(e.getCause());
    } catch (InterruptedException e) {
      return "interrupted";
    }
  }

  private static String stack(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .limit(12)
        .map(Object::toString)
        .reduce("", (a, b) -> a + "\n  " + b);
  }

  private static String trace(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString().lines().limit(14).reduce("", (a, b) -> a + "\n  " + b);
  }
}
