package dev.warpline.nvidia.modern.cache;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.memory.cache.TagArray;
import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Replacement;
import java.util.Arrays;

/**
 * The SM's data cache: 128-byte lines whose validity is kept per 32-bit word, because a store that
 * misses makes only its own words readable. Write-through.
 */
public final class L1Cache {
  public static final int NONE = TagArray.NONE;

  private static final int LINE = 128;

  private final int ways;
  private final TagArray tags;
  private final AddressHash hash;
  private int sets = 1;
  private int[] valid = new int[0];

  /** When a sector on its way arrives, by line and sector; 0 if none is. */
  private long[] fill = new long[0];

  private boolean stale = true;

  /** Set of the line that was looked for last. */
  private int set;

  public L1Cache(int ways, Replacement replacement, AddressHash hash) {
    this.hash = hash;
    this.ways = ways;
    tags = new TagArray(sets, ways, replacement);
  }

  /** Empties the cache and gives it a size; takes effect at the first lookup. */
  public void resize(int bytes) {
    sets = Math.max(1, bytes / LINE / ways);
    stale = true;
  }

  public void clear() {
    try {
      hash.begin(sets, LINE);
    } catch (IllegalArgumentException e) {
      // Shared memory decides how many sets there are: nobody can know before.
      throw new UnfinishedSimulationException(
          "modern.loadStore.l1SetIndex: found an L1 of " + sets + " sets, " + e.getMessage());
    }
    tags.resize(sets, ways);
    int n = tags.places();
    if (valid.length != n) {
      valid = new int[n];
      fill = new long[4 * n];
    } else {
      Arrays.fill(valid, 0);
      Arrays.fill(fill, 0);
    }
    stale = false;
  }

  /** Place of a line, which was used by this, or {@link #NONE}. */
  public int find(long line) {
    if (stale) {
      clear();
    }
    set = hash.place(line);
    int place = tags.find(set, line);
    if (place >= 0) {
      tags.used(place);
    }
    return place;
  }

  /** Gives a line that was just looked for and is absent a place. */
  public int allocate(long line) {
    int place = tags.room(set, Replacement.Lines.ALL);
    tags.put(place, line);
    valid[place] = 0;
    Arrays.fill(fill, 4 * place, 4 * place + 4, 0);
    return place;
  }

  public long line(int place) {
    return tags.line(place);
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
}
