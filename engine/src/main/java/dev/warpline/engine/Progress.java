package dev.warpline.engine;

import dev.warpline.engine.profile.SmActivity;
import java.util.List;

/**
 * Told how a simulation is getting on, now and then, from the thread that runs it. Listeners show
 * it; they must not change it, but may end it by throwing {@link UnfinishedSimulationException}.
 */
public interface Progress {
  /** Nobody watches. */
  Progress NONE = new Progress() {};

  /** A kernel begins. */
  default void kernelStarted(int id, String name, long blocks) {}

  /** Some way into the current kernel; called a few times a second at most. */
  default void advanced(long cycles, long blocksDone, long warpInstructions) {}

  /** Whether somebody looks at the SMs right now; {@link #sms} is told only then. */
  default boolean watchesSms() {
    return false;
  }

  /** What the SMs do, in a run with a profile; follows an {@link #advanced}. */
  default void sms(long cycles, List<SmActivity> activity) {}

  /** How long to wait between two reports. */
  default long pauseNanos() {
    return 250_000_000;
  }

  /** A kernel ended. */
  default void kernelFinished(KernelResult result) {}
}
