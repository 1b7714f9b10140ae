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

  /** By place: words that are valid, and above them a bit for each sector that is on its way. */
  private long[] state = new long[0];

  private static final int PENDING = 32;

  private static final long VALID = (1L << PENDING) - 1;

  /** When a sector on its way arrives, by line and sector. */
  private long[] fill = new long[0];

  private boolean stale = true;

  // Of the lines of an access: their sets, and where they were before the first was served.
  private long[] lines = {};
  private int[] setOf = new int[64];
  private int[] placeOf = new int[64];

  private long glanced;

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
    if (state.length != n) {
      state = new long[n];
      fill = new long[4 * n];
    } else {
      Arrays.fill(state, 0);
    }
    stale = false;
  }

  /**
   * Looks for the lines of an access, all different, one after the other without waiting for what
   * this machine's memory says of the one before.
   */
  public void look(long[] lines, int count) {
    if (stale) {
      clear();
    }
    this.lines = lines;
    if (setOf.length < count) {
      setOf = new int[lines.length];
      placeOf = new int[lines.length];
    }
    for (int k = 0; k < count; k++) {
      setOf[k] = hash.place(lines[k]);
      placeOf[k] = tags.find(setOf[k], lines[k]);
      glanced ^= placeOf[k] < 0 ? 0 : state[placeOf[k]];
    }
  }

  /** Place of one of these lines, which was used by this, or {@link #NONE}. */
  public int find(int k) {
    set = setOf[k];
    int place = placeOf[k];
    if (place < 0 || tags.line(place) != lines[k]) {
      return NONE;
    }
    tags.used(place);
    return place;
  }

  /** Gives a line that was just looked for and is absent a place. */
  public int allocate(long line) {
    int place = tags.room(set, Replacement.Lines.ALL);
    tags.put(place, line);
    state[place] = 0;
    return place;
  }

  public long line(int place) {
    return tags.line(place);
  }

  public int valid(int place) {
    return (int) state[place];
  }

  public void makeValid(int place, int words) {
    state[place] |= words & VALID;
  }

  public void drop(int place, int words) {
    state[place] &= ~(words & VALID);
  }

  /** When a sector arrives; 0 if it is not on its way. */
  public long fill(int place, int sector) {
    return (state[place] >>> PENDING + sector & 1) == 0 ? 0 : fill[4 * place + sector];
  }

  /** Sectors that were said to arrive at a time arrive at another; those for which it was said. */
  public void rearrange(int place, int sectors, long before, long when) {
    for (int m = sectors; m != 0; m &= m - 1) {
      int at = 4 * place + Integer.numberOfTrailingZeros(m);
      if (fill[at] == before) {
        fill[at] = when;
      }
    }
  }

  /** A sector is on its way, or has arrived if that is at 0. */
  public void setFill(int place, int sector, long when) {
    long pending = 1L << PENDING + sector;
    state[place] = when == 0 ? state[place] & ~pending : state[place] | pending;
    fill[4 * place + sector] = when;
  }
}
