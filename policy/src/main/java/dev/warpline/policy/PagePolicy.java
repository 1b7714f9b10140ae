package dev.warpline.policy;

/** How long a DRAM bank keeps a row open after an access. There is one for each channel. */
@Named(value = "page policy", about = "how long a DRAM bank keeps a row open")
public interface PagePolicy extends Policy {
  /** Until another row is needed. */
  long FOREVER = Long.MAX_VALUE;

  /** Starts, or starts again, with closed banks. */
  default void begin(int banks) {}

  /**
   * A row is used.
   *
   * @return nanoseconds after which it is closed unless it is used again, or {@link #FOREVER}
   */
  long openFor(int bank, long row);
}
