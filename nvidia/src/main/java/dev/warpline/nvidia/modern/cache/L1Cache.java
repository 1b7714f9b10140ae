package dev.warpline.nvidia.modern.cache;

import java.util.Arrays;

/**
 * Tags of the SM's data cache: 128-byte lines whose validity is kept per 32-bit word, because a
 * store that misses makes only its own words readable. Write-through.
 */
public final class L1Cache {
  public static final int NONE = -1;

  private final int ways;
  private int sets;
  private long[] tags = new long[0];
  private int[] valid = new int[0];
  private int[] used = new int[0];

  /** When a sector on its way arrives, by line and sector; 0 if none is. */
  private long[] fill = new long[0];

  private int clock;
  private boolean stale = true;

  public L1Cache(int ways) {
    this.ways = ways;
  }

  /** Empties the cache and gives it a size; takes effect at the first lookup. */
  public void resize(int bytes) {
    sets = Math.max(1, bytes / 128 / ways);
    stale = true;
  }

  public void clear() {
    int n = sets * ways;
    if (tags.length != n) {
      tags = new long[n];
      valid = new int[n];
      used = new int[n];
      fill = new long[4 * n];
    }
    Arrays.fill(tags, -1);
    Arrays.fill(valid, 0);
    Arrays.fill(used, 0);
    Arrays.fill(fill, 0);
    clock = 0;
    stale = false;
  }

  public int find(long line) {
    if (stale) {
      clear();
    }
    int base = set(line) * ways;
    for (int i = base; i < base + ways; i++) {
      if (tags[i] == line) {
        used[i] = ++clock;
        return i;
      }
    }
    return NONE;
  }

  public int allocate(long line) {
    int base = set(line) * ways;
    int victim = base;
    for (int i = base; i < base + ways; i++) {
      if (tags[i] < 0) {
        victim = i;
        break;
      }
      if (used[i] < used[victim]) {
        victim = i;
      }
    }
    tags[victim] = line;
    valid[victim] = 0;
    used[victim] = ++clock;
    Arrays.fill(fill, 4 * victim, 4 * victim + 4, 0);
    return victim;
  }

  public long line(int place) {
    return tags[place];
  }

  public int valid(int place) {
    return valid[place];
  }

  public void makeValid(int place, int words) {
    valid[place] |= words;
  }

  public void drop(int place, int words) {
    valid[place] &= ~words;
  }

  public long fill(int place, int sector) {
    return fill[4 * place + sector];
  }

  public void setFill(int place, int sector, long when) {
    fill[4 * place + sector] = when;
  }

  private int set(long line) {
    long h = (line >>> 7) * 0x9e3779b97f4a7c15L;
    return (int) (h >>> 33) % sets;
  }
}
