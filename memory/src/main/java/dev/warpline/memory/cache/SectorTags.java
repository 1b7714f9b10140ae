package dev.warpline.memory.cache;

import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Replacement;
import java.util.Arrays;

/**
 * The lines of a cache as Accel-Sim keeps them. A sector is invalid, reserved (its data are on
 * their way), valid or modified; a modified sector may be unreadable while only some of its bytes
 * were written.
 */
final class SectorTags {
  private static final int FULL_SECTOR = -1;

  private final int dirtyPercent;
  private final int sets;
  private final int sectors;
  private final int offsetBits;
  private final AddressHash hash;
  private final TagArray tags;
  private int lines;
  private boolean sparesDirty;
  private final Replacement.Lines leaving = this::mayLeave;

  private final byte[] reserved;
  private final byte[] valid;
  private final byte[] modified;
  private final byte[] readable;
  private final byte[] modifiedOnFill;
  private final byte[] readableOnFill;
  private final int[] written;
  private int dirtyLines;

  SectorTags(CacheSpec spec, int maxWays, int dirtyPercent) {
    this.dirtyPercent = dirtyPercent;
    sets = spec.sets();
    sectors = spec.sectored() ? 4 : 1;
    offsetBits = Integer.numberOfTrailingZeros(spec.lineBytes());
    hash = spec.setIndex().get();
    hash.begin(sets, spec.lineBytes());
    Replacement replacement = spec.replacement().get();
    tags = new TagArray(sets, maxWays, replacement);
    int most = tags.places();
    reserved = new byte[most];
    valid = new byte[most];
    modified = new byte[most];
    readable = new byte[most];
    modifiedOnFill = new byte[most];
    readableOnFill = new byte[most];
    written = new int[most * sectors];
    setWays(Math.min(spec.ways(), maxWays));
  }

  /** Empties the cache and gives it so many ways. */
  void setWays(int count) {
    lines = sets * count;
    tags.resize(sets, count);
    clearStates();
  }

  /** Makes every sector invalid; modified data are dropped. */
  void clear() {
    tags.clear();
    clearStates();
  }

  private void clearStates() {
    Arrays.fill(reserved, (byte) 0);
    Arrays.fill(valid, (byte) 0);
    Arrays.fill(modified, (byte) 0);
    dirtyLines = 0;
  }

  int setOf(long indexAddress) {
    return hash.place(indexAddress);
  }

  /** Line of a set that holds an address, or -1. */
  int find(int set, long lineAddress) {
    return tags.find(set, lineAddress >>> offsetBits);
  }

  /** How an access to a sector of a line that is present would go. */
  int probe(int line, int sector, boolean write) {
    int bit = 1 << sector;
    if ((reserved[line] & bit) != 0) {
      return CacheOutcome.HIT_RESERVED;
    }
    if ((valid[line] & bit) == 0) {
      return CacheOutcome.SECTOR_MISS;
    }
    if ((modified[line] & bit) == 0 || write || (readable[line] & bit) != 0) {
      return CacheOutcome.HIT;
    }
    return CacheOutcome.SECTOR_MISS;
  }

  /** The line that a missing address of a set would take, or -1 if none can leave. */
  int victim(int set) {
    sparesDirty = dirtyLines * 100L < (long) dirtyPercent * lines;
    return tags.room(set, leaving);
  }

  private boolean mayLeave(int set, int way) {
    int line = tags.place(set, way);
    return reserved[line] == 0 && (modified[line] == 0 || !sparesDirty);
  }

  boolean isModified(int line) {
    return modified[line] != 0;
  }

  long address(int line) {
    return tags.line(line) << offsetBits;
  }

  /** Modified sectors of a line, a bit each. */
  int modifiedSectors(int line) {
    return modified[line];
  }

  /** Gives a line to a new address; all its sectors are invalid then. */
  void replace(int line, long lineAddress) {
    if (modified[line] != 0) {
      dirtyLines--;
    }
    tags.put(line, lineAddress >>> offsetBits);
    reserved[line] = 0;
    valid[line] = 0;
    modified[line] = 0;
    readable[line] = 0;
    modifiedOnFill[line] = 0;
    readableOnFill[line] = 0;
    Arrays.fill(written, line * sectors, line * sectors + sectors, 0);
  }

  /** Marks a line as just used. */
  void touch(int line) {
    tags.used(line);
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
      tags.remove(line);
    }
  }

  /** Makes every line with modified data unused; the data are dropped. */
  void dropModified() {
    for (int line = 0; line < modified.length; line++) {
      if (modified[line] != 0) {
        valid[line] = 0;
        reserved[line] = 0;
        modified[line] = 0;
        tags.remove(line);
      }
    }
    dirtyLines = 0;
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
}
