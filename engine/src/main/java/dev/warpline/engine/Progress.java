package dev.warpline.engine;

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

  /** A kernel ended. */
  default void kernelFinished(KernelResult result) {}
}
