package dev.warpline.nvidia.emulate;

import dev.warpline.trace.WarpTrace;
import java.util.Arrays;

/** The 32-byte sectors of global memory that a copy touches, in runs. */
final class Sectors {
  private static final int BYTES = 32;

  private long[] firsts = new long[64];
  private long[] counts = new long[64];
  private int runs;

  void begin() {
    runs = 0;
  }

  /** Adds those of a stretch of memory. */
  void add(long address, long bytes) {
    long first = address & -BYTES;
    long count = (address + bytes - 1 - first) / BYTES + 1;
    if (runs > 0 && firsts[runs - 1] + BYTES * counts[runs - 1] == first) {
      counts[runs - 1] += count;
      return;
    }
    if (runs == firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * runs);
      counts = Arrays.copyOf(counts, 2 * runs);
    }
    firsts[runs] = first;
    counts[runs++] = count;
  }

  void record(WarpTrace trace) {
    for (int i = 0; i < runs; i++) {
      trace.sectors(firsts[i], BYTES, counts[i]);
    }
  }
}
