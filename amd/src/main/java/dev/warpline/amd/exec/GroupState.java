package dev.warpline.amd.exec;

/** What the waves of one work-group share: its place in the grid and its local data share. */
public final class GroupState {
  public final int x;
  public final int y;
  public final int z;

  /** Local data share of the group; an access beyond its length is a fault. */
  public final byte[] lds;

  /** Name of the kernel, for messages. */
  public final String kernel;

  /** The barrier of all groups, which this one is a member of; null where there is none. */
  private final GridBarrier grid;

  private final int number;

  /** Rounds of the grid's barrier that it has arrived at, and those it has passed. */
  private long arrivedRounds;

  private long passedRounds;

  public GroupState(String kernel, int x, int y, int z, int ldsBytes) {
    this(kernel, x, y, z, ldsBytes, null, 0);
  }

  GroupState(String kernel, int x, int y, int z, int ldsBytes, GridBarrier grid, int number) {
    this.kernel = kernel;
    this.x = x;
    this.y = y;
    this.z = z;
    this.lds = new byte[ldsBytes];
    this.grid = grid;
    this.number = number;
  }

  /**
   * A wave waits at the barrier of the grid.
   *
   * @param groups how many it expects to meet there
   * @return whether it may go on; if not it has to ask again later
   */
  boolean passGridBarrier(long groups, long cycle) {
    if (grid == null || groups != grid.groups()) {
      throw new IllegalStateException(
          "a barrier of "
              + groups
              + " groups; expected one of all "
              + (grid == null ? 1 : grid.groups())
              + " groups of the launch");
    }
    if (arrivedRounds == passedRounds) {
      grid.arrive(number, ++arrivedRounds, cycle);
    }
    if (!grid.isComplete(arrivedRounds, cycle)) {
      return false;
    }
    passedRounds = arrivedRounds;
    return true;
  }
}
