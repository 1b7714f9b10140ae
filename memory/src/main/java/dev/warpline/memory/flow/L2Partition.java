package dev.warpline.memory.flow;

import java.util.Arrays;

/** Tags of one L2 partition: 128-byte lines of four sectors, write-back, least recently used. */
final class L2Partition {
  private static final long EMPTY = -1;

  private final int sets;
  private final int ways;
  private final long[] tags;
  private final byte[] valid;
  private final byte[] dirty;

  /** Words written in sectors that are not valid. */
  private final int[] written;

  private final int[] used;

  /** When the content of each half line arrives. */
  private final double[] arrives;

  private int clock;

  /** Line and dirty sectors that the last {@link #allocate} pushed out; 0 sectors if none. */
  long victimLine;

  int victimDirty;

  L2Partition(long bytes, int ways) {
    this.ways = ways;
    sets = (int) (bytes / 128 / ways);
    tags = new long[sets * ways];
    valid = new byte[sets * ways];
    dirty = new byte[sets * ways];
    written = new int[sets * ways];
    used = new int[sets * ways];
    arrives = new double[2 * sets * ways];
    Arrays.fill(tags, EMPTY);
  }

  void clear() {
    if (clock == 0) {
      return;
    }
    Arrays.fill(tags, EMPTY);
    Arrays.fill(valid, (byte) 0);
    Arrays.fill(dirty, (byte) 0);
    Arrays.fill(written, 0);
    Arrays.fill(used, 0);
    forgetTimes();
    clock = 0;
  }

  /** A new kernel counts its cycles from 0: everything that is here has arrived. */
  void forgetTimes() {
    if (clock == 0) {
      return;
    }
    Arrays.fill(arrives, 0);
  }

  /** Place of a line, or -1. */
  int find(long line, long hash) {
    int base = set(hash) * ways;
    for (int i = base; i < base + ways; i++) {
      if (tags[i] == line) {
        used[i] = ++clock;
        return i;
      }
    }
    return -1;
  }

  /** Gives a line a place, pushing out the least recently used one of its set. */
  int allocate(long line, long hash) {
    int base = set(hash) * ways;
    int victim = base;
    for (int i = base; i < base + ways; i++) {
      if (tags[i] == EMPTY) {
        victim = i;
        break;
      }
      if (used[i] < used[victim]) {
        victim = i;
      }
    }
    victimLine = tags[victim];
    victimDirty = tags[victim] == EMPTY ? 0 : dirty[victim];
    tags[victim] = line;
    valid[victim] = 0;
    dirty[victim] = 0;
    written[victim] = 0;
    arrives[2 * victim] = 0;
    arrives[2 * victim + 1] = 0;
    used[victim] = ++clock;
    return victim;
  }

  int valid(int place) {
    return valid[place];
  }

  /** Sectors are on their way and count as present: who asks for them waits. */
  void fill(int place, int sectors, double when) {
    valid[place] |= (byte) sectors;
    if ((sectors & 3) != 0) {
      arrives[2 * place] = Math.max(arrives[2 * place], when);
    }
    if ((sectors & 12) != 0) {
      arrives[2 * place + 1] = Math.max(arrives[2 * place + 1], when);
    }
  }

  /** When sectors that are present have arrived. */
  double arrives(int place, int sectors) {
    double when = (sectors & 3) != 0 ? arrives[2 * place] : 0;
    return (sectors & 12) != 0 ? Math.max(when, arrives[2 * place + 1]) : when;
  }

  /** Writes sectors that are present, or made present with it. */
  void write(int place, int sectors) {
    valid[place] |= (byte) sectors;
    dirty[place] |= (byte) sectors;
  }

  /**
   * Writes words of sectors that need not be present. A sector becomes valid when all its words
   * have been written.
   *
   * @return sectors that were untouched before and are incomplete now
   */
  int writeWords(int place, int sectors, int words) {
    int started = 0;
    for (int m = sectors; m != 0; m &= m - 1) {
      int sector = Integer.numberOfTrailingZeros(m);
      int all = 0xff << 8 * sector;
      int before = written[place] & all;
      int after = before | words & all;
      if (after == all) {
        valid[place] |= (byte) (1 << sector);
      } else if (before == 0) {
        started |= 1 << sector;
      }
      written[place] |= after;
    }
    dirty[place] |= (byte) sectors;
    return started;
  }

  /** Sectors among these that are not complete and get words that were not written before. */
  int addsWords(long line, long hash, int sectors, int words) {
    int base = set(hash) * ways;
    for (int i = base; i < base + ways; i++) {
      if (tags[i] == line) {
        int fresh = words & ~written[i];
        int result = 0;
        for (int m = sectors & ~valid[i]; m != 0; m &= m - 1) {
          int sector = Integer.numberOfTrailingZeros(m);
          if ((fresh & 0xff << 8 * sector) != 0) {
            result |= 1 << sector;
          }
        }
        return result;
      }
    }
    return sectors;
  }

  /** Whether a sector of a line that may have moved is still written only in part. */
  boolean incomplete(int place, long line, int sector) {
    return tags[place] == line
        && (valid[place] >>> sector & 1) == 0
        && (written[place] & 0xff << 8 * sector) != 0;
  }

  private int set(long hash) {
    return (int) Math.floorMod(hash >>> 20, (long) sets);
  }
}
