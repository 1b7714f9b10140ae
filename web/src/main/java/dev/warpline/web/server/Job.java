package dev.warpline.web.server;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import java.util.List;
import java.util.concurrent.CancellationException;

/** One simulation asked for from the browser, and how far it is. Read by any thread. */
final class Job implements Progress {
  /** Where a job stands. */
  enum State {
    WAITING,
    RUNNING,
    DONE,
    FAILED,
    CANCELLED
  }

  /** What the page shows. */
  record Snapshot(
      String id,
      String trace,
      String gpu,
      String core,
      List<String> settings,
      State state,
      String message,
      int kernelsDone,
      String kernel,
      long blocks,
      long blocksDone,
      long cycles,
      long warpInstructions,
      double ipc,
      double seconds) {}

  final String id;
  final String trace;
  final String gpu;
  final String core;
  final List<String> settings;
  private final long created = System.nanoTime();
  private volatile boolean cancelled;
  private State state = State.WAITING;
  private String message = "";
  private int kernelsDone;
  private String kernel = "";
  private long blocks;
  private long blocksDone;
  private long cycles;
  private long warpInstructions;
  private double recentIpc;
  private long ended;

  Job(String id, String trace, String gpu, String core, List<String> settings) {
    this.id = id;
    this.trace = trace;
    this.gpu = gpu;
    this.core = core;
    this.settings = List.copyOf(settings);
  }

  void cancel() {
    cancelled = true;
    synchronized (this) {
      if (state == State.WAITING) {
        end(State.CANCELLED, "");
      }
    }
  }

  boolean cancelled() {
    return cancelled;
  }

  synchronized void running() {
    state = State.RUNNING;
  }

  synchronized void end(State how, String why) {
    if (ended == 0) {
      state = how;
      message = why == null ? "" : why;
      ended = System.nanoTime();
    }
  }

  synchronized boolean ended() {
    return ended != 0;
  }

  @Override
  public void kernelStarted(int kernelId, String name, long blockCount) {
    stopIfCancelled();
    synchronized (this) {
      kernel = name;
      blocks = blockCount;
      blocksDone = 0;
      cycles = 0;
      warpInstructions = 0;
    }
  }

  @Override
  public void advanced(long nowCycles, long done, long instructions) {
    stopIfCancelled();
    synchronized (this) {
      if (nowCycles > cycles) {
        recentIpc = (double) (instructions - warpInstructions) / (nowCycles - cycles);
      }
      cycles = nowCycles;
      blocksDone = done;
      warpInstructions = instructions;
    }
  }

  @Override
  public synchronized void kernelFinished(KernelResult result) {
    kernelsDone++;
    cycles = result.cycles();
    warpInstructions = result.warpInstructions();
    blocksDone = blocks;
  }

  private void stopIfCancelled() {
    if (cancelled) {
      throw new CancellationException("cancelled");
    }
  }

  synchronized Snapshot snapshot() {
    long until = ended == 0 ? System.nanoTime() : ended;
    return new Snapshot(
        id,
        trace,
        gpu,
        core,
        settings,
        state,
        message,
        kernelsDone,
        kernel,
        blocks,
        blocksDone,
        cycles,
        warpInstructions,
        recentIpc,
        (until - created) / 1e9);
  }
}
