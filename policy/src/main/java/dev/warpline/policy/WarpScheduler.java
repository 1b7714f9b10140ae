package dev.warpline.policy;

/**
 * Which of a scheduler's warps issues; where a core fetches by the same order, also which fetches.
 * Warps are numbers from 0 to 63 and sets of them bits of a long, but for {@link #chooseOfMany}.
 */
@Named(value = "warp scheduler", about = "which of its warps a scheduler issues from")
public interface WarpScheduler extends Policy {
  /** No warp. */
  int NONE = -1;

  /**
   * The warp to issue from. Asking changes no turn: {@link #issued} says that one was taken.
   *
   * @param eligible warps that can issue now; not 0
   * @param held warps that wait at a barrier, or have left; 0 unless {@link #looksAtHeld}
   * @param onMemory warps whose next instruction needs a register from a load under way; 0 unless
   *     {@link #looksAtMemory}
   * @return one of the eligible, or {@link #NONE}: then nobody issues until another warp may
   */
  int choose(long eligible, long held, long onMemory);

  /**
   * A warp that {@link #choose} takes whenever it is eligible, so that nobody else need be looked
   * at; {@link #NONE} if there is no such warp.
   */
  default int favourite() {
    return NONE;
  }

  /** Whether {@link #choose} looks at {@code held}. */
  default boolean looksAtHeld() {
    return false;
  }

  /** Whether {@link #choose} looks at {@code onMemory}. */
  default boolean looksAtMemory() {
    return false;
  }

  /** Whether it can choose among more than 64 warps, by {@link #chooseOfMany}. */
  default boolean choosesOfMany() {
    return false;
  }

  /**
   * As {@link #choose}, among more than 64 warps: the first word of the set has warps 0 to 63, the
   * second 64 to 127.
   */
  default int chooseOfMany(long[] eligible) {
    throw new UnsupportedOperationException(getClass() + " chooses among 64 warps at most");
  }

  /** The warps it will ever choose from, where they are no more than 64. */
  default void begin(long warps) {}

  /** A warp has issued. */
  default void issued(int warp) {}

  /** Warps that come from now on are of another block. */
  default void blockArrived() {}

  /** A warp has come: it is the youngest. */
  default void arrived(int warp) {}

  /** A warp has left. */
  default void left(int warp) {}
}
