package dev.warpline.cli;

import dev.warpline.engine.StopSignal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Between its creation and its end, Ctrl-C and SIGTERM end the simulation instead of the program,
 * so that what was simulated can be written. The process then ends as signals end it: with 130 or
 * 143.
 */
final class Interrupt implements AutoCloseable {
  /** Longer than any simulator takes to look at its stop signal, and shorter than patience. */
  private static final long PATIENCE_SECONDS = 30;

  private final CountDownLatch written = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean simulating;

  Interrupt(StopSignal stop) {
    hook = new Thread(() -> end(stop), "interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Says whether a simulation runs that has yet to see the stop, or what it gave is written. */
  void simulating(boolean now) {
    simulating = now;
  }

  private void end(StopSignal stop) {
    stop.stop("interrupted by a signal");
    long began = System.nanoTime();
    try {
      while (!written.await(1, TimeUnit.SECONDS)) {
        if (simulating && System.nanoTime() - began > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
          System.err.println(
              "warpline: did not stop within " + PATIENCE_SECONDS + " s; results may be missing");
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Everything is written: the program may end. */
  @Override
  public void close() {
    written.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending: the hook runs, and has been told.
    }
  }
}
