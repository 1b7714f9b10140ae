package dev.warpline.policy;

/** Which SM gets the next block of a grid; AMD's compute units of a die are meant, too. */
@Named(
    value = "block scheduler",
    about =
        "which SM or compute unit gets the next block; clusters of blocks know longest-free only")
public interface BlockScheduler extends Policy {
  /** No SM. */
  int NONE = -1;

  /** The SMs as they are now, numbered from 0 on. */
  interface Sms {
    /**
     * SMs of each GPC, cluster or die, in their order there. Every SM is in one of them.
     *
     * @return not to be changed
     */
    int[][] groups();

    /** How many of the groups come before all others. */
    int ahead();

    /** Blocks that are on an SM. */
    int blocks(int sm);

    /** Whether there is room for a block on an SM, be it busy or not. */
    boolean hasRoom(int sm);

    /** Until when an SM is still taking its last block; another one would arrive then. */
    long busyUntil(int sm);
  }

  /**
   * Starts with empty SMs.
   *
   * @param places blocks that fit an SM from the start; 0 if {@link #freed} tells
   * @param now the cycle
   */
  void begin(Sms sms, int places, long now);

  /** Room for a block comes free. */
  default void freed(int sm, long when) {}

  /**
   * The SM that should get the next block. Asked only if one has room, and again when one that has
   * is not busy.
   *
   * @return one that has room, or {@link #NONE} while all that have are busy
   */
  int choose(long now);

  /** The chosen SM got the block; a compute unit may turn out to have no room. */
  default void given(int sm) {}
}
