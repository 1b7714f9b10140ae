package dev.warpline.trace.program;

/**
 * A queue of operations that run one after another.
 *
 * @param number as operations name it; 0 is CUDA's default stream
 * @param name for people
 * @param priority as in CUDA: of blocks that wait for room, those with the smaller number go first
 * @param blocking whether it waits for the default stream and the default stream for it
 * @param sms the SMs that its kernels may use: numbers and ranges ({@code 0-65,70}) or a share
 *     ({@code 50%}); empty for all
 */
public record Stream(int number, String name, int priority, boolean blocking, String sms) {
  /** Number of the default stream. */
  public static final int DEFAULT = 0;

  /** A stream whose kernels may use every SM. */
  public Stream(int number, String name, int priority, boolean blocking) {
    this(number, name, priority, blocking, "");
  }

  /** The default stream, and how others are unless somebody says more. */
  public static Stream plain(int number) {
    return new Stream(number, "stream " + number, 0, true);
  }

  /** In a sentence: a stream that nobody named has the word in its name. */
  public String inWords() {
    return name.startsWith("stream ") ? name : "stream " + name;
  }
}
