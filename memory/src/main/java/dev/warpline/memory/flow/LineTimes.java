package dev.warpline.memory.flow;

import dev.warpline.policy.hash.Mix;
import java.util.Arrays;

/** A time for each of any number of lines, 0 if none was set. */
final class LineTimes {
  private static final long NONE = -1;

  private long[] lines = new long[64];
  private double[] times = new double[64];
  private int size;

  LineTimes() {
    Arrays.fill(lines, NONE);
  }

  /** Forgets all lines; false if there was none. */
  boolean clear() {
    if (size == 0) {
      return false;
    }
    Arrays.fill(lines, NONE);
    size = 0;
    return true;
  }

  /** Place of a line, which it keeps until another one is looked up. */
  int find(long line, long hash) {
    int mask = lines.length - 1;
    int i = (int) hash & mask;
    while (lines[i] != line && lines[i] != NONE) {
      i = i + 1 & mask;
    }
    if (lines[i] == NONE) {
      if (2 * size >= lines.length) {
        grow();
        return find(line, hash);
      }
      size++;
      lines[i] = line;
      times[i] = 0;
    }
    return i;
  }

  double time(int place) {
    return times[place];
  }

  void set(int place, double time) {
    times[place] = time;
  }

  private void grow() {
    long[] oldLines = lines;
    double[] oldTimes = times;
    lines = new long[2 * oldLines.length];
    times = new double[lines.length];
    Arrays.fill(lines, NONE);
    size = 0;
    for (int i = 0; i < oldLines.length; i++) {
      if (oldLines[i] != NONE) {
        times[find(oldLines[i], Mix.mix(oldLines[i] >>> 7))] = oldTimes[i];
      }
    }
  }
}
