package dev.warpline.memory.cache;

import dev.warpline.engine.gpu.CacheSpec;
import java.util.Arrays;

/**
 * The tags and sector states of a cache. A sector is invalid, reserved (its data are on their way),
 * valid or modified; a modified sector may be unreadable while only some of its bytes were written.
 *
 * <p>Lines are found by hashing and replaced by a list in order of use, so that 256 ways cost no
 * more than four.
 */
final class TagArray {
  static final int NONE = -1;
  private static final int FULL_SECTOR = -1;

  private final CacheSpec spec;
  private final int dirtyPercent;
  private final int sets;
  private final int sectors;
  private final int offsetBits;
  private final int indexBits;
  private final Ipoly ipoly;
  private int ways;
  private int lines;

  private final long[] tag;
  private final byte[] reserved;
  private final byte[] valid;
  private final byte[] modified;
  private final byte[] readable;
  private final byte[] modifiedOnFill;
  private final byte[] readableOnFill;
  private final int[] written;
  private int dirtyLines;

  // Per set, lines in order of use: the oldest first. Unused lines are a list of their own.
  private final int[] newer;
  private final int[] older;
  private final int[] oldest;
  private final int[] newest;
  private final int[] unused;

  // Open addressing from line address to line.
  private final long[] key;
  private final int[] slotLine;
  private final int mask;

  TagArray(CacheSpec spec, int maxWays, int dirtyPercent) {
    this.spec = spec;
    this.dirtyPercent = dirtyPercent;
    sets = spec.sets();
    sectors = spec.sectored() ? 4 : 1;
    offsetBits = Integer.numberOfTrailingZeros(spec.lineBytes());
    indexBits = Integer.numberOfTrailingZeros(sets);
    ipoly = spec.setIndex() == CacheSpec.SetIndex.IPOLY ? new Ipoly(sets) : null;
    int most = sets * maxWays;
    tag = new long[most];
    reserved = new byte[most];
    valid = new byte[most];
    modified = new byte[most];
    readable = new byte[most];
    modifiedOnFill = new byte[most];
    readableOnFill = new byte[most];
    written = new int[most * sectors];
    newer = new int[most];
    older = new int[most];
    oldest = new int[sets];
    newest = new int[sets];
    unused = new int[sets];
    int slots = Integer.highestOneBit(Math.max(2, most)) * 4;
    key = new long[slots];
    slotLine = new int[slots];
    mask = slots - 1;
    setWays(Math.min(spec.ways(), maxWays));
  }

  /** Empties the cache and gives it so many ways. */
  void setWays(int count) {
    ways = count;
    lines = sets * count;
    clear();
  }

  /** Makes every sector invalid; modified data are dropped. */
  void clear() {
    Arrays.fill(slotLine, NONE);
    Arrays.fill(reserved, (byte) 0);
    Arrays.fill(valid, (byte) 0);
    Arrays.fill(modified, (byte) 0);
    dirtyLines = 0;
    for (int set = 0; set < sets; set++) {
      oldest[set] = NONE;
      newest[set] = NONE;
      unused[set] = NONE;
      for (int way = ways - 1; way >= 0; way--) {
        int line = set * ways + way;
        newer[line] = unused[set];
        unused[set] = line;
      }
    }
  }

  int setOf(long indexAddress) {
    long block = indexAddress >>> offsetBits;
    int index = (int) block & sets - 1;
    return switch (spec.setIndex()) {
      case LINEAR -> index;
      case XOR -> index ^ (int) (block >>> indexBits) & sets - 1;
      case IPOLY -> ipoly.hash(block >>> indexBits, index);
      case FERMI -> fermi(indexAddress);
      // Declared by Accel-Sim without a function: everything goes to set 0.
      case CUSTOM -> 0;
    };
  }

  private int fermi(long a) {
    int low = (int) (a >>> 7) & 31;
    int high =
        (int) (a >>> 13 & 1)
            | (int) (a >>> 14 & 1) << 1
            | (int) (a >>> 15 & 1) << 2
            | (int) (a >>> 17 & 1) << 3
            | (int) (a >>> 19 & 1) << 4;
    int top = sets == 64 ? (int) (a >>> 12 & 1) << 5 : 0;
    return (low ^ high | top) & sets - 1;
  }

  /** Line that holds an address, or -1. */
  int find(long lineAddress) {
    for (int slot = slotOf(lineAddress); slotLine[slot] != NONE; slot = slot + 1 & mask) {
      if (key[slot] == lineAddress) {
        return slotLine[slot];
      }
    }
    return NONE;
  }

  /** How an access to a sector of a line that is present would go. */
  int probe(int line, int sector, boolean write) {
    int bit = 1 << sector;
    if ((reserved[line] & bit) != 0) {
      return Outcome.HIT_RESERVED;
    }
    if ((valid[line] & bit) == 0) {
      return Outcome.SECTOR_MISS;
    }
    if ((modified[line] & bit) == 0 || write || (readable[line] & bit) != 0) {
      return Outcome.HIT;
    }
    return Outcome.SECTOR_MISS;
  }

  /** The line that a missing address of a set would take, or -1 if none can leave. */
  int victim(int set) {
    if (unused[set] != NONE) {
      return unused[set];
    }
    boolean sparesDirty = dirtyLines * 100L < (long) dirtyPercent * lines;
    for (int line = oldest[set]; line != NONE; line = newer[line]) {
      if (reserved[line] == 0 && (modified[line] == 0 || !sparesDirty)) {
        return line;
      }
    }
    return NONE;
  }

  boolean isModified(int line) {
    return modified[line] != 0;
  }

  long address(int line) {
    return tag[line];
  }

  /** Modified sectors of a line, a bit each. */
  int modifiedSectors(int line) {
    return modified[line];
  }

  /** Gives a line to a new address; all its sectors are invalid then. */
  void replace(int line, int set, long lineAddress) {
    if (unused[set] == line) {
      unused[set] = newer[line];
    } else {
      removeKey(tag[line]);
      unlink(line, set);
      if (modified[line] != 0) {
        dirtyLines--;
      }
    }
    tag[line] = lineAddress;
    reserved[line] = 0;
    valid[line] = 0;
    modified[line] = 0;
    readable[line] = 0;
    modifiedOnFill[line] = 0;
    readableOnFill[line] = 0;
    Arrays.fill(written, line * sectors, line * sectors + sectors, 0);
    append(line, set);
    int slot = slotOf(lineAddress);
    while (slotLine[slot] != NONE) {
      slot = slot + 1 & mask;
    }
    key[slot] = lineAddress;
    slotLine[slot] = line;
  }

  /** Marks a line as just used. */
  void touch(int line) {
    if (spec.replacement() == CacheSpec.Replacement.LRU) {
      int set = line / ways;
      if (newest[set] != line) {
        unlink(line, set);
        append(line, set);
      }
    }
  }

  /** A sector's data are asked for. */
  void reserve(int line, int sector) {
    int bit = 1 << sector;
    boolean wasDirty = modified[line] != 0;
    if ((modified[line] & bit) != 0) {
      modifiedOnFill[line] |= bit;
    } else {
      modifiedOnFill[line] &= ~bit;
    }
    reserved[line] |= bit;
    valid[line] &= ~bit;
    modified[line] &= ~bit;
    readable[line] |= bit;
    if (wasDirty && modified[line] == 0) {
      dirtyLines--;
    }
  }

  /** A sector's data arrived. */
  void fill(int line, int sector) {
    int bit = 1 << sector;
    reserved[line] &= ~bit;
    valid[line] |= bit;
    if ((modified[line] & bit) == 0) {
      readable[line] |= bit;
    }
    if ((modifiedOnFill[line] & bit) != 0) {
      setModified(line, bit);
      modifiedOnFill[line] &= ~bit;
    }
    if ((readableOnFill[line] & bit) != 0) {
      readable[line] |= bit;
      readableOnFill[line] &= ~bit;
    }
  }

  /** Bytes of a valid sector are written; it stays as readable as it was, or becomes so if full. */
  void writeHit(int line, int sector, int byteMask) {
    int bit = 1 << sector;
    setModified(line, bit);
    mergeBytes(line, sector, byteMask);
  }

  /** Bytes are written to a sector whose other bytes are missing or still on their way. */
  void writeMiss(int line, int sector, int byteMask, boolean wasReserved) {
    int bit = 1 << sector;
    reserved[line] &= ~bit;
    setModified(line, bit);
    if (wasReserved) {
      modifiedOnFill[line] |= bit;
    }
    if (byteMask == FULL_SECTOR) {
      readable[line] |= bit;
    } else {
      readable[line] &= ~bit;
      if (wasReserved) {
        readableOnFill[line] |= bit;
      }
    }
    mergeBytes(line, sector, byteMask);
  }

  /** An atomic changed the sector. */
  void setModified(int line, int bit) {
    if (modified[line] == 0) {
      dirtyLines++;
    }
    valid[line] |= bit;
    modified[line] |= bit;
  }

  /** A sector holds nothing any more; a line without any other one is unused. */
  void invalidate(int line, int sector) {
    int bit = 1 << sector;
    boolean wasDirty = modified[line] != 0;
    valid[line] &= ~bit;
    reserved[line] &= ~bit;
    modified[line] &= ~bit;
    if (wasDirty && modified[line] == 0) {
      dirtyLines--;
    }
    if ((valid[line] | reserved[line]) == 0) {
      release(line);
    }
  }

  /** Makes every line with modified data unused; the data are dropped. */
  void dropModified() {
    for (int line = 0; line < lines; line++) {
      if (modified[line] != 0) {
        valid[line] = 0;
        reserved[line] = 0;
        modified[line] = 0;
        release(line);
      }
    }
    dirtyLines = 0;
  }

  private void release(int line) {
    int set = line / ways;
    removeKey(tag[line]);
    unlink(line, set);
    newer[line] = unused[set];
    unused[set] = line;
  }

  int dirtyLines() {
    return dirtyLines;
  }

  private void mergeBytes(int line, int sector, int byteMask) {
    int all = written[line * sectors + sector] |= byteMask;
    if (all == FULL_SECTOR) {
      readable[line] |= 1 << sector;
    }
  }

  private void append(int line, int set) {
    older[line] = newest[set];
    newer[line] = NONE;
    if (newest[set] == NONE) {
      oldest[set] = line;
    } else {
      newer[newest[set]] = line;
    }
    newest[set] = line;
  }

  private void unlink(int line, int set) {
    if (older[line] == NONE) {
      oldest[set] = newer[line];
    } else {
      newer[older[line]] = newer[line];
    }
    if (newer[line] == NONE) {
      newest[set] = older[line];
    } else {
      older[newer[line]] = older[line];
    }
  }

  private void removeKey(long lineAddress) {
    int hole = slotOf(lineAddress);
    while (key[hole] != lineAddress) {
      hole = hole + 1 & mask;
    }
    for (int at = hole + 1 & mask; slotLine[at] != NONE; at = at + 1 & mask) {
      int home = slotOf(key[at]);
      if ((at - home & mask) >= (at - hole & mask)) {
        key[hole] = key[at];
        slotLine[hole] = slotLine[at];
        hole = at;
      }
    }
    slotLine[hole] = NONE;
  }

  private int slotOf(long lineAddress) {
    long h = (lineAddress >>> offsetBits) * 0x9E3779B97F4A7C15L;
    return (int) (h >>> 40) & mask;
  }
}
