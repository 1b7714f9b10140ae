package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * Where a group of SMs merges reads: a sector that another SM asked for a moment ago is not asked
 * for again. A table of recent lines, four ways, oldest request replaced first.
 */
final class MergePoint {
  private static final int SETS = 2048;
  private static final int WAYS = 4;

  private final long[] lines = new long[SETS * WAYS];
  private final byte[] sectors = new byte[SETS * WAYS];
  private final double[] arrives = new double[SETS * WAYS];
  private final double[] asked = new double[SETS * WAYS];
  private final double window;

  /** Sectors of the last {@link #find} that are on their way, and when they reach the group. */
  int found;

  double foundAt;

  /**
   * @param window how long after a request others may join it
   */
  MergePoint(double window) {
    this.window = window;
    reset();
  }

  void reset() {
    Arrays.fill(lines, -1);
    Arrays.fill(asked, 0);
  }

  void find(long line, long hash, int wanted, double time) {
    found = 0;
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
