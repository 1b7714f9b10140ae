package dev.warpline.trace.program;

/**
 * A queue of operations that run one after another.
 *
 * @param number as operations name it; 0 is CUDA's default stream
 * @param name for people
 * @param priority as in CUDA: of blocks that wait for room, those with the smaller number go first
 * @param blocking whether it waits for the default stream and the default stream for it
 */
public record Stream(int number, String name, int priority, boolean blocking) {
  /** Number of the default stream. */
  public static final int DEFAULT = 0;

  /** The default stream, and how others are unless somebody says more. */
  public static Stream plain(int number) {
    return new Stream(number, "stream " + number, 0, true);
  }
}
