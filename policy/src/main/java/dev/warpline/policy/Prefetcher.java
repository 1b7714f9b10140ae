package dev.warpline.policy;

/** Which lines of code are asked for ahead of their use. Lines are consecutive numbers. */
@Named(value = "prefetcher", about = "which lines of code are asked for ahead of their use")
public interface Prefetcher extends Policy {
  /**
   * @param lines how far it may run ahead
   */
  void begin(int lines);

  /**
   * A warp moved into a line.
   *
   * @param missed whether the cache did not have it
   */
  void moved(long line, boolean missed);

  /** First line to ask for now. */
  long first();

  /** Last line to ask for now; before {@link #first} if there is none. */
  long last();
}
