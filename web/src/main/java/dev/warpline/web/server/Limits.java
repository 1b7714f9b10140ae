package dev.warpline.web.server;

/**
 * What a server takes at most.
 *
 * @param uploadBytes of one upload
 * @param unpackedBytes of an archive's files once unpacked
 * @param unpackSeconds to unpack an archive
 * @param storeBytes of everything in the store
 * @param silenceSeconds that a client may keep a thread waiting before it is hung up on
 * @param run of one run; a run may ask for less
 */
public record Limits(
    long uploadBytes,
    long unpackedBytes,
    long unpackSeconds,
    long storeBytes,
    double silenceSeconds,
    RunLimits run) {
  /** Uploads of 1 GiB that unpack to 16 GiB in ten minutes, and 64 GiB of store. */
  public static final Limits DEFAULT =
      new Limits(1L << 30, 1L << 34, 600, 1L << 36, 10, RunLimits.DEFAULT);

  public Limits {
    if (uploadBytes < 1
        || unpackedBytes < 1
        || unpackSeconds < 1
        || storeBytes < 1
        || !(silenceSeconds > 0)) {
      throw new IllegalArgumentException("limits of the server: expected 1 or more of each");
    }
  }
}
