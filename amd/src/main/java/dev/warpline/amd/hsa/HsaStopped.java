package dev.warpline.amd.hsa;

/**
 * The device stopped before what the program waits for happened: nothing moves, or it was ended.
 */
public final class HsaStopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HsaStopped(String what, String queues, long cycle) {
    super(
        String.format(
            "stopped at cycle %d while waiting for %s%s",
            cycle, what, queues.isEmpty() ? "" : "; " + queues));
  }
}
