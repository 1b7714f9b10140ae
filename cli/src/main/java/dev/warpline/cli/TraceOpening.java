package dev.warpline.cli;

import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Opens a trace on a thread of its own: an archive is unpacked while the rest of a command starts.
 */
final class TraceOpening implements AutoCloseable {
  private final TraceOptions input;

  /** The first opening; null once somebody took its trace. */
  private FutureTask<TraceSet> first;

  TraceOpening(TraceOptions input) {
    this.input = input;
    // A class of its own: the first lambda that Java links takes a few milliseconds, and this one
    // would be it.
    first =
        new FutureTask<>(
            new Callable<>() {
              @Override
              public TraceSet call() throws IOException {
                return open();
              }
            });
    Thread thread = new Thread(first, "open " + input.trace);
    thread.setDaemon(true);
    thread.start();
  }

  /** Opens the trace and reads the code of its first kernel, which everybody asks for first. */
  private TraceSet open() throws IOException {
    TraceSet set = input.open();
    for (TraceCommand command : set.commands()) {
      if (command instanceof TraceCommand.Launch launch) {
        try {
          set.header(launch);
        } catch (IOException | RuntimeException e) {
          // Who needs the kernel meets the same, and says so.
        }
        break;
      }
    }
    return set;
  }

  /** A trace that the caller closes. */
  TraceSet take() throws IOException {
    if (first == null) {
      return input.open();
    }
    TraceSet set = look();
    first = null;
    return set;
  }

  /** The trace that {@link #take} gives, to look at. */
  TraceSet look() throws IOException {
    if (first == null) {
      throw new IllegalStateException("the trace was taken");
    }
    try {
      return first.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a trace was opened");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      if (e.getCause() instanceof RuntimeException wrong) {
        throw wrong;
      }
      throw (Error) e.getCause();
    }
  }

  @Override
  public void close() throws IOException {
    if (first != null && first.cancel(true)) {
      return;
    }
    if (first != null) {
      TraceSet unused;
      try {
        unused = look();
      } catch (IOException | RuntimeException | Error e) {
        // Who asked for the trace was told that it cannot be read.
        return;
      }
      unused.close();
    }
  }
}
