package dev.warpline.amd.dispatch;

import java.util.BitSet;

/**
 * One kernel dispatch on its way through the GPU: its grid, what a group asks for, how far it is.
 */
public final class DispatchTask {
  private final int id;
  private final int queue;
  private final long packetIndex;
  private final Object kernel;
  private final int[] grid;
  private final int[] group;
  private final long[] groups;
  private final GroupDemand demand;

  /** Scratch slots taken by resident waves; the first free one goes to the next wave. */
  private final BitSet scratchSlots = new BitSet();

  private long[] nextOfDie;
  private long placed;
  private long finished;
  private long startCycle;
  private long endCycle;

  /**
   * @param kernel what the compute units need to start its waves; the dispatcher does not look into
   *     it
   */
  public DispatchTask(
      int id,
      int queue,
      long packetIndex,
      Object kernel,
      int[] grid,
      int[] group,
      GroupDemand demand) {
    this.id = id;
    this.queue = queue;
    this.packetIndex = packetIndex;
    this.kernel = kernel;
    this.grid = grid.clone();
    this.group = group.clone();
    this.demand = demand;
    groups = new long[3];
    for (int d = 0; d < 3; d++) {
      groups[d] = (grid[d] + (long) group[d] - 1) / group[d];
    }
  }

  public int id() {
    return id;
  }

  public int queue() {
    return queue;
  }

  /** Index of its packet in the queue. */
  public long packetIndex() {
    return packetIndex;
  }

  public Object kernel() {
    return kernel;
  }

  public GroupDemand demand() {
    return demand;
  }

  /** Work-groups of the grid. */
  public long groups() {
    return groups[0] * groups[1] * groups[2];
  }

  public long groupsFinished() {
    return finished;
  }

  /** Coordinate of group number {@code index}: x fastest, then y, then z. */
  public int coordinate(long index, int dimension) {
    return switch (dimension) {
      case 0 -> (int) (index % groups[0]);
      case 1 -> (int) (index / groups[0] % groups[1]);
      default -> (int) (index / (groups[0] * groups[1]));
    };
  }

  /** Work-items of a group along a dimension; groups at the grid's edge may be smaller. */
  public int items(long index, int dimension) {
    long first = (long) coordinate(index, dimension) * group[dimension];
    return (int) Math.min(group[dimension], grid[dimension] - first);
  }

  /** Waves of a group. */
  public int waves(long index) {
    return (items(index, 0) * items(index, 1) * items(index, 2) + 63) / 64;
  }

  /** Cycle at which the command processor handed it over. */
  public long startCycle() {
    return startCycle;
  }

  /** Cycle at which its last wave ended. */
  public long endCycle() {
    return endCycle;
  }

  void started(long cycle) {
    startCycle = cycle;
  }

  boolean allPlaced() {
    return placed == groups();
  }

  /** Says how many dies share the groups; before the first is placed. */
  void spreadOver(int dies) {
    nextOfDie = new long[dies];
    for (int die = 0; die < dies; die++) {
      nextOfDie[die] = die;
    }
  }

  boolean hasNext(int die) {
    return nextOfDie[die] < groups();
  }

  /** Number of the next group a die gets. */
  long next(int die) {
    return nextOfDie[die];
  }

  void take(int die) {
    nextOfDie[die] += nextOfDie.length;
    placed++;
  }

  int takeScratchSlot() {
    int slot = scratchSlots.nextClearBit(0);
    scratchSlots.set(slot);
    return slot;
  }

  void freeScratchSlot(int slot) {
    scratchSlots.clear(slot);
  }

  boolean groupFinished(long cycle) {
    finished++;
    endCycle = Math.max(endCycle, cycle);
    return finished == groups();
  }
}
