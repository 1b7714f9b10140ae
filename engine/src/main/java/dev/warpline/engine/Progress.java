package dev.warpline.engine;

import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.SmActivity;
import java.util.List;
import java.util.Map;

/**
 * Told how a simulation is getting on, now and then, from the thread that runs it. Listeners show
 * it; they must not change it, but may end it by throwing {@link UnfinishedSimulationException}.
 */
public interface Progress {
  /** Nobody watches. */
  Progress NONE = new Progress() {};

  /** A kernel begins. */
  default void kernelStarted(int id, String name, long blocks) {}

  /**
   * Some way into the current kernel; called a few times a second at most.
   *
   * @param expectedInstructions warp instructions that it will have, as far as its blocks so far
   *     tell; exact once all are on an SM, 0 if nobody knows
   */
  default void advanced(
      long cycles, long blocksDone, long warpInstructions, long expectedInstructions) {}

  /** How much of a kernel is done, 0 to 1: instructions where they are known, else blocks. */
  static double share(long blocksDone, long blocks, long instructions, long expected) {
    long all = expected > 0 ? expected : blocks;
    long done = expected > 0 ? instructions : blocksDone;
    return all == 0 ? 0 : Math.min(1, (double) done / all);
  }

  /** Whether somebody looks at the SMs right now; {@link #sms} is told only then. */
  default boolean watchesSms() {
    return false;
  }

  /** What the SMs do, in a run with a profile; follows an {@link #advanced}. */
  default void sms(long cycles, List<SmActivity> activity) {}

  /**
   * How full buffers are and how busy links, since the last report; follows {@link #sms}. Those
   * that the core records.
   */
  default void levels(long cycles, Map<Level, Double> levels) {}

  /** Whether somebody wants to know which warps wait for what; {@link #waiting} is told then. */
  default boolean asksWhoWaits() {
    return false;
  }

  /** Which warps wait for what, in words. */
  default void waiting(String who) {}

  /**
   * A report is over, and nothing is simulated until this returns: a run that shall stand still for
   * a while waits here.
   */
  default void reported() {}

  /** How long to wait between two reports. */
  default long pauseNanos() {
    return 250_000_000;
  }

  /** A kernel ended. */
  default void kernelFinished(KernelResult result) {}
}
