package dev.warpline.nvidia.classic;

/** The most heap seen in use. */
final class PeakMemory {
  private long peak;

  PeakMemory() {
    sample();
  }

  void sample() {
    Runtime runtime = Runtime.getRuntime();
    peak = Math.max(peak, runtime.totalMemory() - runtime.freeMemory());
  }

  long bytes() {
    sample();
    return peak;
  }
}
