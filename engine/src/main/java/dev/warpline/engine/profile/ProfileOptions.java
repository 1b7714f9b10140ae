package dev.warpline.engine.profile;

import java.util.Set;
import java.util.function.Consumer;

/**
 * What to write down of a run beyond its counters.
 *
 * @param timelineFrom first cycle of the timeline's window, counted from the kernel's launch
 * @param timelineUntil end of the window, exclusive; nothing is recorded when it is 0
 * @param timelineSms how many SMs are recorded: the first ones that get a block
 * @param topics what is logged of these SMs in the window
 * @param log takes the lines of the log at the end of each kernel
 * @param follow address of a line whose requests are followed in the window, on any SM; {@link
 *     #NOTHING} for none
 */
public record ProfileOptions(
    long timelineFrom,
    long timelineUntil,
    int timelineSms,
    Set<LogEvent.Topic> topics,
    Consumer<String> log,
    long follow) {
  /** No line is followed. */
  public static final long NOTHING = -1;

  /** Takes no lines. */
  private enum Silence implements Consumer<String> {
    KEPT;

    @Override
    public void accept(String line) {}
  }

  /** Bytes of a line. */
  private static final long LINE = 128;

  /** Reasons, counters and series, but no timeline. */
  public static final ProfileOptions NO_TIMELINE = new ProfileOptions(0, 0, 0);

  public ProfileOptions {
    if (timelineFrom < 0 || timelineUntil < 0 || timelineSms < 0) {
      throw new IllegalArgumentException(
          "a timeline window needs cycles and SMs of 0 or more, found "
              + timelineFrom
              + ":"
              + timelineUntil
              + " on "
              + timelineSms
              + " SMs");
    }
  }

  /** A timeline and a log that follow no line. */
  public ProfileOptions(
      long timelineFrom,
      long timelineUntil,
      int timelineSms,
      Set<LogEvent.Topic> topics,
      Consumer<String> log) {
    this(timelineFrom, timelineUntil, timelineSms, topics, log, NOTHING);
  }

  /** The same, following the line that holds an address. */
  public ProfileOptions following(long address) {
    return new ProfileOptions(
        timelineFrom, timelineUntil, timelineSms, topics, log, address & -LINE);
  }

  /** A timeline without a log. */
  public ProfileOptions(long timelineFrom, long timelineUntil, int timelineSms) {
    this(timelineFrom, timelineUntil, timelineSms, Set.of(), Silence.KEPT);
  }

  /** How many SMs record slices. */
  int recordedSms() {
    return timelineFrom < timelineUntil ? timelineSms : 0;
  }
}
