package dev.warpline.engine.profile;

/**
 * What to write down of a run beyond its counters.
 *
 * @param timelineFrom first cycle of the timeline's window, counted from the kernel's launch
 * @param timelineUntil end of the window, exclusive; nothing is recorded when it is 0
 * @param timelineSms how many SMs are recorded: the first ones that get a block
 */
public record ProfileOptions(long timelineFrom, long timelineUntil, int timelineSms) {
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

  /** How many SMs record slices. */
  int recordedSms() {
    return timelineFrom < timelineUntil ? timelineSms : 0;
  }
}
