package dev.warpline.policy;

/**
 * Which line of a full set makes room for another. There is one for each tag array; it sees ways of
 * sets and no addresses.
 */
@Named(value = "replacement", about = "which line of a set makes room for another")
public interface Replacement extends Policy {
  /** No way. */
  int NONE = -1;

  /** Lines that must stay for a while, because their data are on their way or for other reasons. */
  @FunctionalInterface
  interface Lines {
    /** Every line may leave. */
    Lines ALL = (set, way) -> true;

    /** Whether the line in a way may leave. */
    boolean mayLeave(int set, int way);
  }

  /** Starts, or starts again, with sets that hold nothing. */
  void begin(int sets, int ways);

  /** A line was put into a way. */
  void filled(int set, int way);

  /** The line in a way was used again. */
  void used(int set, int way);

  /** A way holds nothing any more; it will be filled before its set is asked for a victim. */
  default void emptied(int set, int way) {}

  /**
   * The way whose line makes room in a set where every way holds one. Asking changes nothing: the
   * line leaves when another is {@link #filled} in.
   *
   * @return a way whose line may leave, or {@link #NONE} if there is no such
   */
  int victim(int set, Lines lines);
}
