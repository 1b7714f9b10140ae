package dev.warpline.trace;

/**
 * The decimal columns before an instruction in raw traces and in tracer versions below 3: block x,
 * y, z, warp; then perhaps SM and warp slot; in version 6 cluster id, block in cluster and rank.
 */
final class LinePrefix {
  /** The number of columns that a raw trace may have: without and with clusters, SM columns. */
  private static final int[] COLUMNS = {4, 6, 11, 13};

  private static final int MAX = 13;

  private final int columns;
  private final int[] values = new int[MAX];

  LinePrefix(int columns) {
    this.columns = columns;
  }

  /** Finds out how many columns a raw line has before its PC and mask; null if it has no prefix. */
  static LinePrefix of(String line, boolean lineInfo) {
    String[] words = line.strip().split("\\s+");
    for (int columns : COLUMNS) {
      int pc = columns + (lineInfo ? 1 : 0);
      if (words.length > pc + 2
          && words[pc].matches("[0-9a-fA-F]{4,8}")
          && words[pc + 1].matches("[0-9a-fA-F]{8}")
          && words[pc + 2].matches("[0-9]{1,2}")) {
        return new LinePrefix(columns);
      }
    }
    return null;
  }

  /** Reads the columns; returns where the rest begins, or -1 if they are not all there. */
  int read(byte[] b, int from, int to) {
    int at = from;
    for (int i = 0; i < columns; i++) {
      int value = 0;
      int first = at;
      while (at < to && b[at] >= '0' && b[at] <= '9' && at - first < 10) {
        value = value * 10 + b[at++] - '0';
      }
      if (at == first || at >= to || !blank(b[at])) {
        return -1;
      }
      while (at < to && blank(b[at])) {
        at++;
      }
      values[i] = value;
    }
    return at;
  }

  private static boolean blank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** Linear id of the block, or -1 if it is outside the grid. */
  long block(Dim3 grid) {
    return block(grid, values[0], values[1], values[2]);
  }

  static long block(Dim3 grid, int x, int y, int z) {
    return x >= 0 && y >= 0 && z >= 0 && x < grid.x() && y < grid.y() && z < grid.z()
        ? grid.linear(x, y, z)
        : -1;
  }

  int warp() {
    return values[3];
  }

  /** Rank of the block in its cluster, 0 where the trace does not say. */
  int clusterRank() {
    return columns >= 11 ? values[10] : 0;
  }
}
