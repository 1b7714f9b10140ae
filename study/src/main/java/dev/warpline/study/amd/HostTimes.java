package dev.warpline.study.amd;

import java.util.Locale;

/**
 * What the host adds to a measured call that the GPU does not show. The numbers are calibrated on
 * all programs together (docs/amd-validation.md); those of large copies are the copies of the same
 * table (memcopy_h2d).
 *
 * @param launchNanos more for every launch than the GPU's description says
 * @param syncMicros until the host has seen that all is done and goes on
 * @param copyMicros a copy of up to a MiB, which goes through a staging buffer
 * @param microsPerKib of such a copy
 */
public record HostTimes(
    double launchNanos, double syncMicros, double copyMicros, double microsPerKib) {
  static final HostTimes CALIBRATED = new HostTimes(0, 20, 4.4, 0.1);

  /** From here on the runtime pins the pages instead; 2 to 512 MiB lie on a line. */
  private static final long LARGEST_STAGED = 1 << 20;

  private static final double PINNED_START_MICROS = 10.2;
  private static final double PINNED_BYTES_PER_MICRO = 57_900;

  /**
   * What a call asks of the host.
   *
   * @param launches kernels
   * @param syncs waits for all of them
   * @param copies to and from the host through the staging buffer
   * @param stagedKib of these
   * @param pinnedMicros time of the large copies
   */
  public record Work(int launches, int syncs, int copies, double stagedKib, double pinnedMicros) {
    static final Work NONE = new Work(0, 0, 0, 0, 0);

    Work withLaunch() {
      return new Work(launches + 1, syncs, copies, stagedKib, pinnedMicros);
    }

    Work withSync() {
      return new Work(launches, syncs + 1, copies, stagedKib, pinnedMicros);
    }

    Work withCopy(long bytes) {
      return bytes <= LARGEST_STAGED
          ? new Work(launches, syncs, copies + 1, stagedKib + bytes / 1024.0, pinnedMicros)
          : new Work(
              launches,
              syncs,
              copies,
              stagedKib,
              pinnedMicros + PINNED_START_MICROS + bytes / PINNED_BYTES_PER_MICRO);
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "launch %+.0f ns, sync %.1f us, copy %.1f us and %.2f per KiB",
        launchNanos,
        syncMicros,
        copyMicros,
        microsPerKib);
  }

  double milliseconds(Work work) {
    return (work.launches * launchNanos / 1e3
            + work.syncs * syncMicros
            + work.copies * copyMicros
            + work.stagedKib * microsPerKib
            + work.pinnedMicros)
        / 1e3;
  }
}
