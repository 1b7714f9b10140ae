package dev.warpline.trace;

import java.util.Arrays;

/**
 * What a chunk's coder and decoder remember of each code-table row, to predict its next access.
 * With a reference warp, a base is predicted to differ from the reference's as it did the last time
 * this row was met; without one, to move on from the row's last base as it did then.
 */
final class RowHistory {
  private int size = 256;
  private int[] accessCounts = new int[size];
  private long[] lastBase = new long[size];
  private long[][] difference = new long[3][size];
  private long[] trialDifference = new long[size];
  private int[] trialStamp = new int[size];
  private int stamp;
  private long[] trialFrom;

  /** Shape of each row's last access. */
  int[] shape = new int[size];

  RowHistory() {
    clear();
  }

  void clear() {
    Arrays.fill(accessCounts, 0);
    Arrays.fill(lastBase, 0);
    for (long[] differences : difference) {
      Arrays.fill(differences, 0);
    }
    Arrays.fill(shape, -1);
  }

  /** Makes room for a row. */
  void room(int row) {
    if (row < size) {
      return;
    }
    int old = size;
    size = Math.max(row + 1, size * 2);
    accessCounts = Arrays.copyOf(accessCounts, size);
    lastBase = Arrays.copyOf(lastBase, size);
    for (int i = 0; i < difference.length; i++) {
      difference[i] = Arrays.copyOf(difference[i], size);
    }
    trialDifference = Arrays.copyOf(trialDifference, size);
    trialStamp = Arrays.copyOf(trialStamp, size);
    shape = Arrays.copyOf(shape, size);
    Arrays.fill(shape, old, size, -1);
  }

  int accessCount(int row) {
    return accessCounts[row];
  }

  void accessCount(int row, int count) {
    accessCounts[row] = count;
  }

  long predict(int row, long referenceBase, int reference) {
    return difference[reference][row]
        + (reference == ChunkEncoder.NO_REFERENCE ? lastBase[row] : referenceBase);
  }

  void learn(int row, long base, long referenceBase, int reference, int usedShape) {
    difference[reference][row] =
        base - (reference == ChunkEncoder.NO_REFERENCE ? lastBase[row] : referenceBase);
    lastBase[row] = base;
    shape[row] = usedShape;
  }

  /** Begins to try out a reference, without learning. */
  void beginTrial(int reference) {
    trialFrom = difference[reference];
    stamp++;
  }

  /** The difference that would be predicted for a row; then takes the true one. */
  long trial(int row, long actual) {
    long predicted = trialStamp[row] == stamp ? trialDifference[row] : trialFrom[row];
    trialDifference[row] = actual;
    trialStamp[row] = stamp;
    return predicted;
  }
}
