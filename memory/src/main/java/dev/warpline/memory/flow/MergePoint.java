package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * Where a group of SMs merges reads, beside L2: a sector that another SM asked for and that L2 has
 * not answered yet is not asked for again, if both ask for the same sectors of the line, for a
 * limited number of SMs. A table of the last request for each line, four ways, oldest replaced
 * first.
 */
final class MergePoint {
  private static final int WAYS = 4;

  private final int sets;

  // Made at the first read of the group: few groups are at work in a small kernel.
  private long[] lines;
  private byte[] sectors;
  private double[] asked;
  private double[] answered;
  private byte[] joined;
  private boolean empty = true;
  private final int most;

  /** Sectors of the last {@link #find} that another asked for, and when L2 answers. */
  int found;

  double foundAt;

  /**
   * @param most reads that one request to L2 can serve
   * @param entries lines that are remembered
   */
  MergePoint(int most, int entries) {
    this.most = most;
    sets = entries / WAYS;
  }

  void reset() {
    if (!empty) {
      Arrays.fill(lines, -1);
      Arrays.fill(asked, 0);
      empty = true;
    }
  }

  /** A read that comes by at a time joins one that waits for the same sectors, if there is one. */
  void find(long line, long hash, int wanted, double time) {
    found = 0;
    if (empty) {
      return;
    }
    int base = (int) (hash & (sets - 1)) * WAYS;
    for (int i = base; i < base + WAYS; i++) {
      if (lines[i] == line && answered[i] > time && joined[i] < most && sectors[i] == wanted) {
        joined[i]++;
        found = wanted;
        foundAt = answered[i];
        return;
      }
    }
  }

  void add(long line, long hash, int wanted, double time, double answer) {
    if (lines == null) {
      lines = new long[sets * WAYS];
      sectors = new byte[sets * WAYS];
      asked = new double[sets * WAYS];
      answered = new double[sets * WAYS];
      joined = new byte[sets * WAYS];
      Arrays.fill(lines, -1);
    }
    empty = false;
    int base = (int) (hash & (sets - 1)) * WAYS;
    int victim = base;
    for (int i = base; i < base + WAYS; i++) {
      if (lines[i] == line) {
        victim = i;
        break;
      }
      if (asked[i] < asked[victim]) {
        victim = i;
      }
    }
    lines[victim] = line;
    sectors[victim] = (byte) wanted;
    asked[victim] = time;
    answered[victim] = answer;
    joined[victim] = 1;
  }
}
