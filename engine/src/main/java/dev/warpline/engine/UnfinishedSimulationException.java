package dev.warpline.engine;

/** A simulation that stopped before its end: a deadlock, or a limit that the user set. */
public final class UnfinishedSimulationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnfinishedSimulationException(String message) {
    super(message);
  }
}
