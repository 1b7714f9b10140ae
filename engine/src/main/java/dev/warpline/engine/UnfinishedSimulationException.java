package dev.warpline.engine;

import java.util.List;

/** A simulation that stopped before its end: a deadlock, or a limit that the user set. */
public final class UnfinishedSimulationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<KernelResult> finished;

  public UnfinishedSimulationException(String message) {
    this(message, List.of());
  }

  /**
   * @param message what stopped it and, for a deadlock, who waits for what
   * @param finished results of the kernels that ended before
   */
  public UnfinishedSimulationException(String message, List<KernelResult> finished) {
    super(message);
    this.finished = List.copyOf(finished);
  }

  /** Results of the kernels that ended before the stop. */
  public List<KernelResult> finished() {
    return finished;
  }
}
