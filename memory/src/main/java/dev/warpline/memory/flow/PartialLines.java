package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * The lines of an L2 partition that have sectors written in part, in the order in which they came
 * to it. L2 keeps byte masks for a limited number of them. A line whose sectors have become whole
 * since stays in the list until it is looked at.
 */
final class PartialLines {
  private static final int FIRST_ROOM = 1024;

  /** So many lines before one is looked at its state is read: that need not be waited for then. */
  private static final int AHEAD = 8;

  private long glanced;

  private final L2Partition partition;
  private final int most;

  // A ring.
  private long[] lines = new long[FIRST_ROOM];
  private int[] places = new int[FIRST_ROOM];
  private int first;
  private int size;

  /** Place of the line that {@link #oldest} found. */
  int place;

  /**
   * @param most lines with byte masks
   */
  PartialLines(L2Partition partition, int most) {
    this.partition = partition;
    this.most = most;
  }

  void clear() {
    first = 0;
    size = 0;
  }

  /** A line has got its first sector that is written in part. */
  void add(long line, int place) {
    if (size == lines.length) {
      tidy();
    }
    int at = first + size++ & lines.length - 1;
    lines[at] = line;
    places[at] = place;
  }

  /** Whether there are more lines than byte masks. */
  boolean full() {
    return partition.partialLines > most;
  }

  /** Takes the line out that has been here longest; there is one. */
  long oldest() {
    while (true) {
      long line = lines[first];
      place = places[first];
      first = first + 1 & lines.length - 1;
      size--;
      if (size > AHEAD) {
        glanced ^= partition.glance(places[first + AHEAD & lines.length - 1]);
      }
      if (partition.incomplete(place, line) != 0) {
        return line;
      }
    }
  }

  /** Forgets lines that are whole; makes the list longer if that does not help much. */
  private void tidy() {
    int kept = 0;
    long[] keptLines = new long[lines.length];
    int[] keptPlaces = new int[lines.length];
    for (int k = 0; k < size; k++) {
      int at = first + k & lines.length - 1;
      if (partition.incomplete(places[at], lines[at]) != 0) {
        keptLines[kept] = lines[at];
        keptPlaces[kept++] = places[at];
      }
    }
    if (kept > lines.length / 2) {
      keptLines = Arrays.copyOf(keptLines, 2 * lines.length);
      keptPlaces = Arrays.copyOf(keptPlaces, 2 * lines.length);
    }
    lines = keptLines;
    places = keptPlaces;
    first = 0;
    size = kept;
  }
}
