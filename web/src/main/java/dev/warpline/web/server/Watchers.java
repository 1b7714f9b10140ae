package dev.warpline.web.server;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The pages that look on: server-sent events, a few times a second while something changes. A page
 * holds a connection but no thread, except while something is being written to it.
 */
final class Watchers implements AutoCloseable {
  private static final long PAUSE_MILLIS = 250;
  private static final int QUIET_PAUSES = 20;

  /** One page. */
  private static final class Watcher {
    final HttpExchange exchange;
    final OutputStream out;
    private String last = "";
    private int quiet;
    private boolean busy;

    Watcher(HttpExchange exchange) {
      this.exchange = exchange;
      out = exchange.getResponseBody();
    }

    /** What to write now, or null; a comment now and then finds out that the page was closed. */
    synchronized String next(String state) {
      boolean changed = !state.equals(last);
      if (busy || (!changed && ++quiet % QUIET_PAUSES != 0)) {
        return null;
      }
      busy = true;
      last = state;
      return changed ? "data: " + state + "\n\n" : ": still here\n\n";
    }

    synchronized void written() {
      busy = false;
    }
  }

  private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
  private final Supplier<String> state;
  private final Patience patience;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> Patience.daemon(task, "warpline-watchers"));

  /**
   * @param state what to tell the pages, as one line
   */
  Watchers(Supplier<String> state, Patience patience) {
    this.state = state;
    this.patience = patience;
    clock.scheduleWithFixedDelay(this::tell, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Tells a page from now on; the exchange is closed when the page has gone. */
  void add(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    Watcher watcher = new Watcher(exchange);
    watchers.add(watcher);
    tell(watcher, state.get());
  }

  /** Whether somebody looks. */
  boolean any() {
    return !watchers.isEmpty();
  }

  private void tell() {
    if (any()) {
      String now = state.get();
      watchers.forEach(watcher -> tell(watcher, now));
    }
  }

  private void tell(Watcher watcher, String now) {
    String event = watcher.next(now);
    if (event == null) {
      return;
    }
    try {
      patience.execute(() -> write(watcher, event));
    } catch (RejectedExecutionException e) {
      watcher.written(); // too busy; the next state is told instead
    }
  }

  private void write(Watcher watcher, String event) {
    try {
      watcher.out.write(event.getBytes(StandardCharsets.UTF_8));
      watcher.out.flush();
      watcher.written();
    } catch (IOException e) {
      watchers.remove(watcher);
      watcher.exchange.close();
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    watchers.forEach(watcher -> watcher.exchange.close());
  }
}
