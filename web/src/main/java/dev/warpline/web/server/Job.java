package dev.warpline.web.server;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.SmActivity;
import dev.warpline.engine.profile.StallReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
      String pause,
      int kernelsDone,
      String kernel,
      long blocks,
      long blocksDone,
      double share,
      long cycles,
      long warpInstructions,
      double ipc,
      double seconds,
      List<double[]> sms,
      Map<String, Double> levels,
      List<double[]> reasons,
      String waiting) {}

  /** Reports without an instruction after which a run is asked who waits. */
  private static final int STILL_REPORTS = 2;

  private static final int WAITING_LENGTH = 1500;
  private static final int MOST_REASONS = 4;

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
  private long expected;
  private long cycles;
  private long warpInstructions;
  private double recentIpc;
  private long ended;

  /**
   * What each SM does: resident blocks and warps, IPC, ordinal of what warps wait for, its share.
   */
  private List<double[]> sms = List.of();

  /** How full buffers are and how busy links, by their names. */
  private Map<String, Double> levels = Map.of();

  /** What warps of all SMs wait for most: ordinals of reasons, and their shares. */
  private List<double[]> reasons = List.of();

  /** Which warps wait for what, when somebody wants to know. */
  private String waiting = "";

  /** Reports since an instruction was issued. */
  private int still;

  private boolean paused;
  private boolean held;
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
   * Lets a run stand still after its next report.
   *
   * @throws Refused if it is not running
   */
  synchronized void pause() throws Refused {
    if (state != State.RUNNING) {
      throw new Refused(409, id + " is not running");
    }
    paused = true;
  }

  /** Lets it go on. */
  synchronized void resume() {
    paused = false;
    notifyAll();
  }

  /**
   * Asks a run to end: simulators look at the signal, and who reads a trace notices that its thread
   * is interrupted.
   */
  synchronized void stop(String why) {
    signal.stop(why);
    resume();
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
      expected = 0;
      cycles = 0;
      warpInstructions = 0;
      sms = List.of();
      lastActivity = List.of();
      lastActivityCycle = 0;
      levels = Map.of();
      reasons = List.of();
      waiting = "";
      still = 0;
    }
    reported();
  }

  /** The simulation waits here while it is paused; its helpers sleep meanwhile. */
  @Override
  public void reported() {
    synchronized (this) {
      boolean interrupted = false;
      while (paused) {
        held = true;
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true; // somebody ends the run, and has said so
        }
      }
      held = false;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    signal.check();
  }

  @Override
  public void levels(long nowCycles, Map<Level, Double> now) {
    Map<String, Double> byName = new LinkedHashMap<>();
    now.forEach((level, value) -> byName.put(level.label(), round(value)));
    synchronized (this) {
      levels = byName;
    }
  }

  @Override
  public synchronized boolean asksWhoWaits() {
    return paused || still >= STILL_REPORTS;
  }

  @Override
  public synchronized void waiting(String who) {
    waiting = who.length() > WAITING_LENGTH ? who.substring(0, WAITING_LENGTH) + " …" : who;
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
    List<double[]> most = reasons(activity, lastActivity);
    synchronized (this) {
      sms = states;
      reasons = most;
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

  /** What the warps of all SMs waited for most since the last report. */
  private static List<double[]> reasons(List<SmActivity> now, List<SmActivity> before) {
    double[] sums = new double[StallReason.COUNT];
    double all = 0;
    for (int i = 0; i < now.size(); i++) {
      for (int r = 0; r < sums.length; r++) {
        long cycles =
            now.get(i).reasons()[r] - (i < before.size() ? before.get(i).reasons()[r] : 0);
        sums[r] += cycles;
        all += cycles;
      }
    }
    List<double[]> most = new ArrayList<>();
    for (int r = 0; r < sums.length; r++) {
      if (sums[r] > 0 && r != StallReason.SELECTED.ordinal()) {
        most.add(new double[] {r, round(sums[r] / all)});
      }
    }
    most.sort(Comparator.comparingDouble(one -> -one[1]));
    return List.copyOf(most.subList(0, Math.min(MOST_REASONS, most.size())));
  }

  private static double round(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  @Override
  public void advanced(long nowCycles, long done, long instructions, long expectedInstructions) {
    signal.check();
    synchronized (this) {
      if (nowCycles > cycles) {
        recentIpc = (double) (instructions - warpInstructions) / (nowCycles - cycles);
      }
      still = instructions == warpInstructions ? still + 1 : 0;
      if (still == 0 && !paused) {
        waiting = "";
      }
      cycles = nowCycles;
      blocksDone = done;
      expected = expectedInstructions;
      warpInstructions = instructions;
    }
  }

  @Override
  public synchronized void kernelFinished(KernelResult result) {
    kernelsDone++;
    cycles = result.cycles();
    warpInstructions = result.warpInstructions();
    blocksDone = blocks;
    expected = warpInstructions;
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
        state != State.RUNNING || !paused ? "" : held ? "paused" : "pausing",
        kernelsDone,
        kernel,
        blocks,
        blocksDone,
        Progress.share(blocksDone, blocks, warpInstructions, expected),
        cycles,
        warpInstructions,
        recentIpc,
        (until - created) / 1e9,
        state == State.RUNNING ? sms : List.of(),
        state == State.RUNNING ? levels : Map.of(),
        state == State.RUNNING ? reasons : List.of(),
        state == State.RUNNING ? waiting : "");
  }
}
