package dev.warpline.trace.program;

/**
 * One call of the host.
 *
 * @param number from 1, in the order of the calls; nodes of a graph have numbers of their own
 * @param line where it stands in its file, 0 if in none
 * @param stream that it goes to; of no meaning for what the host does by itself
 * @param task what is asked for
 * @param gapNs what the host did between the call before and this one, in nanoseconds
 * @param callNs how long the call took the host; {@link #AS_DESCRIBED} if nobody recorded it
 */
public record StreamOperation(
    int number, int line, int stream, StreamTask task, double gapNs, double callNs) {
  /** As long as the GPU's description says that such calls take. */
  public static final double AS_DESCRIBED = -1;

  /** A call right after the one before it. */
  public StreamOperation(int number, int line, int stream, StreamTask task) {
    this(number, line, stream, task, 0, AS_DESCRIBED);
  }

  /** The same call, asking for something else. */
  public StreamOperation with(StreamTask other) {
    return new StreamOperation(number, line, stream, other, gapNs, callNs);
  }
}
