package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * Where a group of SMs merges reads: a sector that another SM asked for a moment ago is not asked
 * for again. A table of recent lines, four ways, oldest request replaced first.
 */
final class MergePoint {
  private static final int SETS = 2048;
  private static final int WAYS = 4;

  // Made at the first read of the group: few groups are at work in a small kernel.
  private long[] lines;
  private byte[] sectors;
  private double[] arrives;
  private double[] asked;
  private boolean empty = true;
  private final double window;

  /** Sectors of the last {@link #find} that are on their way, and when they reach the group. */
  int found;

  double foundAt;

  /**
   * @param window how long after a request others may join it
   */
  MergePoint(double window) {
    this.window = window;
  }

  void reset() {
    if (!empty) {
      Arrays.fill(lines, -1);
      Arrays.fill(asked, 0);
      empty = true;
    }
  }

  void find(long line, long hash, int wanted, double time) {
    found = 0;
    if (empty) {
      return;
    }
    int base = (int) (hash & (SETS - 1)) * WAYS;
    for (int i = base; i < base + WAYS; i++) {
      if (lines[i] == line && asked[i] + window > time && (sectors[i] & wanted) != 0) {
        found = sectors[i] & wanted;
        foundAt = arrives[i];
        return;
      }
    }
  }

  void add(long line, long hash, int wanted, double time, double arrival) {
    if (lines == null) {
      lines = new long[SETS * WAYS];
      sectors = new byte[SETS * WAYS];
      arrives = new double[SETS * WAYS];
      asked = new double[SETS * WAYS];
      Arrays.fill(lines, -1);
    }
    empty = false;
    int base = (int) (hash & (SETS - 1)) * WAYS;
    int victim = base;
    for (int i = base; i < base + WAYS; i++) {
      if (asked[i] < asked[victim]) {
        victim = i;
      }
    }
    lines[victim] = line;
    sectors[victim] = (byte) wanted;
    arrives[victim] = arrival;
    asked[victim] = time;
  }
}
