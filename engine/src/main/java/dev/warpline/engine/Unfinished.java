package dev.warpline.engine;

import java.util.List;

/**
 * A simulation that stopped before its kernels ended: nothing moved any more, or a limit was met.
 */
public final class Unfinished extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<KernelResult> finished;

  /**
   * @param message what stopped it and, for a deadlock, who waits for what
   * @param finished results of the kernels that ended before
   */
  public Unfinished(String message, List<KernelResult> finished) {
    super(message);
    this.finished = List.copyOf(finished);
  }

  /** Results of the kernels that ended before the stop. */
  public List<KernelResult> finished() {
    return finished;
  }
}
