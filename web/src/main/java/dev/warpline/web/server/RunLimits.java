package dev.warpline.web.server;

/**
 * When a run is ended, finished or not.
 *
 * @param cycles simulated core cycles in all
 * @param instructions simulated warp instructions in all
 * @param seconds wall time, from opening the trace on
 */
public record RunLimits(long cycles, long instructions, long seconds) {
  /** Five seconds of a GPU's time, a hundred thousand million instructions, an hour. */
  public static final RunLimits DEFAULT = new RunLimits(10_000_000_000L, 100_000_000_000L, 3600);

  public RunLimits {
    if (cycles < 1 || instructions < 1 || seconds < 1) {
      throw new IllegalArgumentException(
          "limits of a run: found "
              + cycles
              + " cycles, "
              + instructions
              + " instructions, "
              + seconds
              + " s, expected 1 or more of each");
    }
  }
}
