package dev.warpline.web.server;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that talk to clients, and how long they wait for one. A client must finish the head
 * of its request within the patience, and send its body and take its answer no slower than a least
 * rate; one that does not is hung up on by interrupting the thread, which closes the channel it
 * waits for. There are many more threads than slow clients are likely to hold at a time.
 */
final class Patience implements Executor, AutoCloseable {
  private static final int THREADS = 256;
  private static final int WAITING_AT_MOST = 1024;
  private static final long BYTES_PER_SECOND = 16 << 10;
  private static final long LOOK_MILLIS = 100;

  /** A thread at work for a client, and until when it may wait for it. */
  private static final class Wait {
    private final Thread thread = Thread.currentThread();
    private long deadline;
    private boolean waiting;

    synchronized void begin(long nanos) {
      deadline = System.nanoTime() + nanos;
      waiting = true;
    }

    synchronized void end() {
      waiting = false;
    }

    /** The thread does other things afterwards, so it must not be interrupted any more. */
    synchronized void over() {
      waiting = false;
      Thread.interrupted();
    }

    synchronized void look() {
      if (waiting && System.nanoTime() - deadline > 0) {
        waiting = false;
        thread.interrupt();
      }
    }
  }

  private final long nanos;
  private final Map<Thread, Wait> waits = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor pool;
  private final ScheduledExecutorService watch;

  Patience(double seconds) {
    nanos = (long) (seconds * 1e9);
    pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_AT_MOST),
            task -> daemon(task, "warpline-http"));
    pool.allowCoreThreadTimeOut(true);
    watch = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "warpline-watch"));
    watch.scheduleWithFixedDelay(
        () -> waits.values().forEach(Wait::look), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Runs a task that begins with waiting for a client: for the head of a request. */
  @Override
  public void execute(Runnable task) {
    pool.execute(
        () -> {
          Wait wait = new Wait();
          waits.put(wait.thread, wait);
          wait.begin(nanos);
          try {
            task.run();
          } finally {
            waits.remove(wait.thread);
            wait.over();
          }
        });
  }

  /** The client has said what it wants; from here on the server works. */
  void heard() {
    mine().end();
  }

  /**
   * The last words with a client: whatever is still to be waited for, the patience is the limit.
   */
  void goodbye() {
    mine().begin(nanos);
  }

  /** The body of a request, at the least rate. */
  InputStream body(InputStream in) {
    return new Body(in, mine());
  }

  /** Sends an answer, at the least rate. */
  void send(OutputStream out, byte[] bytes) throws IOException {
    Wait wait = mine();
    wait.begin(allowance(bytes.length));
    out.write(bytes);
    wait.end();
  }

  private long allowance(long bytes) {
    return nanos + bytes * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
  }

  private Wait mine() {
    return waits.get(Thread.currentThread());
  }

  @Override
  public void close() {
    watch.shutdownNow();
    pool.shutdownNow();
  }

  /** Counts only the time spent waiting: the disk may be slow, the client may not. */
  private final class Body extends FilterInputStream {
    private final Wait wait;
    private long waited;
    private long received;

    Body(InputStream in, Wait wait) {
      super(in);
      this.wait = wait;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      long began = System.nanoTime();
      wait.begin(allowance(received) - waited);
      int n = super.read(into, offset, length);
      wait.end();
      waited += System.nanoTime() - began;
      received += Math.max(0, n);
      return n;
    }
  }
}
