package dev.warpline.engine;

/**
 * Asks a simulation to end soon: Ctrl-C, a cancelled job, a time limit. Everything that loops in a
 * simulator looks at it now and then; once set it stays set.
 */
public final class StopSignal {
  private volatile String reason;

  /** Asks for the end; the first reason stays. May be called from any thread. */
  public void stop(String why) {
    if (reason == null) {
      reason = why;
    }
  }

  /** Why the simulation shall end, null while it shall go on. */
  public String reason() {
    return reason;
  }

  /**
   * Ends a simulation that shall not go on.
   *
   * @throws UnfinishedSimulationException with the reason
   */
  public void check() {
    String why = reason;
    if (why != null) {
      throw new UnfinishedSimulationException(why);
    }
  }
}
