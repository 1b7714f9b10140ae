package dev.warpline.engine.profile;

/**
 * What to write down of a run beyond its counters.
 *
 * @param timelineFrom first cycle of the timeline's window, counted from the kernel's launch
 * @param timelineUntil end of the window, exclusive; nothing is recorded when it is 0
 * @param timelineSms SMs 0 to this minus 1 are recorded
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

  /** Whether slices of this SM are wanted. */
  public boolean timelineOf(int sm) {
    return sm < timelineSms && timelineFrom < timelineUntil;
  }
}
