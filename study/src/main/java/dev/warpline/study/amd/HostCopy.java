package dev.warpline.study.amd;

/**
 * Time of a synchronous copy from pageable host memory, as some of the measured programs do it in
 * every call. The numbers are those of the copies in the measured table (memcopy_h2d), of no
 * program that is compared. From 2 MiB on the runtime pins the pages, and 2 to 512 MiB lie on a
 * line. Up to 1 MiB it goes through a staging buffer with a small kernel: the time of a small call
 * and the rate of the copy of 1 MiB.
 */
final class HostCopy {
  private static final long LARGEST_STAGED = 1 << 20;
  private static final double STAGED_START_MICROSECONDS = 4.2;
  private static final double STAGED_BYTES_PER_MICROSECOND = 16_100;
  private static final double PINNED_START_MICROSECONDS = 10.2;
  private static final double PINNED_BYTES_PER_MICROSECOND = 57_900;

  private HostCopy() {}

  static double microseconds(long bytes) {
    return bytes <= LARGEST_STAGED
        ? STAGED_START_MICROSECONDS + bytes / STAGED_BYTES_PER_MICROSECOND
        : PINNED_START_MICROSECONDS + bytes / PINNED_BYTES_PER_MICROSECOND;
  }
}
