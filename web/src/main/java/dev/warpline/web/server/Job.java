package dev.warpline.web.server;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.profile.SmActivity;
import dev.warpline.engine.profile.StallReason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

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
      RunLimits limits,
      State state,
      String message,
      boolean stopping,
      int kernelsDone,
      String kernel,
      long blocks,
      long blocksDone,
      long cycles,
      long warpInstructions,
      double ipc,
      double seconds,
      List<double[]> sms) {}

  final String id;
  final Submission submission;

  /** Set when the run shall end early. */
  final StopSignal signal = new StopSignal();

  private final long created = System.nanoTime();
  private Thread simulating;
  private boolean cancelled;
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

  /**
   * What each SM does: resident blocks and warps, IPC, ordinal of what warps wait for, its share.
   */
  private List<double[]> sms = List.of();

  private List<SmActivity> lastActivity = List.of();
  private long lastActivityCycle;
  private volatile BooleanSupplier watched = () -> false;

  Job(String id, Submission submission) {
    this.id = id;
    this.submission = submission;
  }

  /** Ends the run, whatever it is doing. */
  synchronized void cancel() {
    cancelled = true;
    if (state == State.WAITING) {
      end(State.CANCELLED, "");
    } else {
      stop("cancelled");
    }
  }

  /**
   * Asks a run to end: simulators look at the signal, and who reads a trace notices that its thread
   * is interrupted.
   */
  synchronized void stop(String why) {
    signal.stop(why);
    if (simulating != null) {
      simulating.interrupt();
    }
  }

  /** The calling thread begins to simulate; false if the job has been cancelled meanwhile. */
  synchronized boolean begins() {
    if (state != State.WAITING) {
      return false;
    }
    state = State.RUNNING;
    simulating = Thread.currentThread();
    return true;
  }

  /** The calling thread has stopped simulating: from here on nobody interrupts it. */
  synchronized void simulated() {
    simulating = null;
    Thread.interrupted();
  }

  synchronized void done() {
    end(State.DONE, "");
  }

  /**
   * It has no whole result.
   *
   * @param kept kernels whose results are kept all the same
   */
  synchronized void failed(String why, int kept) {
    String reason = cancelled ? "" : signal.reason() == null ? why : signal.reason();
    String part = kept == 0 ? "" : "kernels that had ended and are kept: " + kept;
    String both = reason.isEmpty() || part.isEmpty() ? reason + part : reason + "; " + part;
    end(cancelled ? State.CANCELLED : State.FAILED, both);
  }

  private void end(State how, String why) {
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
    signal.check();
    synchronized (this) {
      kernel = name;
      blocks = blockCount;
      blocksDone = 0;
      cycles = 0;
      warpInstructions = 0;
      sms = List.of();
      lastActivity = List.of();
      lastActivityCycle = 0;
    }
  }

  /** Who knows whether a page looks at the moment. */
  void watchedIf(BooleanSupplier somebodyLooks) {
    watched = somebodyLooks;
  }

  @Override
  public boolean watchesSms() {
    return watched.getAsBoolean();
  }

  @Override
  public void sms(long nowCycles, List<SmActivity> activity) {
    List<double[]> states = new ArrayList<>(activity.size());
    long span = Math.max(1, nowCycles - lastActivityCycle);
    for (int i = 0; i < activity.size(); i++) {
      long[] before = i < lastActivity.size() ? lastActivity.get(i).reasons() : null;
      states.add(state(activity.get(i), before, span));
    }
    synchronized (this) {
      sms = states;
      lastActivity = activity;
      lastActivityCycle = nowCycles;
    }
  }

  private static double[] state(SmActivity now, long[] before, long span) {
    int selected = StallReason.SELECTED.ordinal();
    long most = 0;
    long sum = 0;
    int reason = -1;
    for (int r = 0; r < now.reasons().length; r++) {
      long cycles = now.reasons()[r] - (before == null ? 0 : before[r]);
      sum += cycles;
      if (r != selected && cycles > most) {
        most = cycles;
        reason = r;
      }
    }
    double issued = now.reasons()[selected] - (before == null ? 0 : before[selected]);
    return new double[] {
      now.blocks(),
      now.warps(),
      round(issued / span),
      reason,
      sum == 0 ? 0 : round(most / (double) sum)
    };
  }

  private static double round(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  @Override
  public void advanced(long nowCycles, long done, long instructions) {
    signal.check();
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

  synchronized Snapshot snapshot() {
    long until = ended == 0 ? System.nanoTime() : ended;
    return new Snapshot(
        id,
        submission.trace(),
        submission.gpu(),
        submission.core(),
        submission.settings(),
        submission.limits(),
        state,
        message,
        state == State.RUNNING && signal.reason() != null,
        kernelsDone,
        kernel,
        blocks,
        blocksDone,
        cycles,
        warpInstructions,
        recentIpc,
        (until - created) / 1e9,
        state == State.RUNNING ? sms : List.of());
  }
}
