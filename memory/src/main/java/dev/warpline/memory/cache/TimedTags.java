package dev.warpline.memory.cache;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.LowestBit;
import dev.warpline.policy.Replacement;
import java.util.Arrays;

/**
 * Lines of a cache or pages of a TLB by number, each with a time at which its content is there and
 * a mark that it was written.
 */
public final class TimedTags {
  private final int sets;

  /** Which set a key belongs to; null: the keys in turn. */
  private final AddressHash setOf;

  /** Bits of a set's number where sets are a power of two, else -1. */
  private final int setBits;

  private final TagArray tags;

  /** Of the first ways of all sets, then of the second ones: those of few lines are neighbours. */
  private final long[] readyAt;

  /** Bits of a way's number in that of an entry. */
  private final int wayBits;

  /** Written entries, 64 to a word. */
  private final long[] dirty;

  private long evictedDirty = TagArray.EMPTY;
  private int dirtyCount;

  /** Where something was found last: the same is often asked for again. */
  private int lastFound;

  /** Whether nothing was put in since it was empty. */
  private boolean untouched = true;

  /**
   * @param entries entries in all; a multiple of ways
   * @param replacement of this array alone
   */
  public TimedTags(int entries, int ways, Replacement replacement) {
    this(entries, ways, null, replacement);
  }

  /**
   * @param setOf which set a key belongs to, of this array alone; null: the keys in turn
   */
  public TimedTags(int entries, int ways, AddressHash setOf, Replacement replacement) {
    if (entries % ways != 0) {
      throw new IllegalArgumentException(
          entries + " entries in " + ways + " ways; expected a multiple of the ways");
    }
    this.setOf = setOf;
    sets = entries / ways;
    if (setOf != null) {
      setOf.begin(sets, 1);
    }
    setBits = Integer.bitCount(sets) == 1 ? Integer.numberOfTrailingZeros(sets) : -1;
    tags = new TagArray(sets, ways, replacement);
    readyAt = new long[tags.places()];
    wayBits = Integer.numberOfTrailingZeros(tags.place(1, 0));
    dirty = new long[(tags.places() + Long.SIZE - 1) / Long.SIZE];
  }

  private int set(long key) {
    if (setOf != null) {
      return setOf.place(key);
    }
    // Dividing takes longer than all the rest.
    return setBits >= 0 ? (int) key & sets - 1 : (int) ((key & Long.MAX_VALUE) % sets);
  }

  /** Entry that holds the key, made most recent, or -1. */
  public int find(long key) {
    int entry = tags.line(lastFound) == key ? lastFound : tags.find(set(key), key);
    if (entry >= 0) {
      tags.used(entry);
      lastFound = entry;
    }
    return entry;
  }

  /** When the entry's content is there. */
  public long readyAt(int entry) {
    return readyAt[cell(entry)];
  }

  private int cell(int entry) {
    return (entry & (1 << wayBits) - 1) * sets + (entry >>> wayBits);
  }

  public void markDirty(int entry) {
    setDirty(entry, true);
  }

  /**
   * Puts a key in, in an empty place of its set or that of another key. {@link #evictedDirty} then
   * tells which written line had to leave.
   */
  public int insert(long key, long ready) {
    untouched = false;
    int entry = tags.room(set(key), Replacement.Lines.ALL);
    evictedDirty = isDirty(entry) ? tags.line(entry) : TagArray.EMPTY;
    tags.put(entry, key);
    readyAt[cell(entry)] = ready;
    setDirty(entry, false);
    return entry;
  }

  /** Key of the written line the last {@link #insert} pushed out, or -1. */
  public long evictedDirty() {
    return evictedDirty;
  }

  public void invalidate(long key) {
    int entry = tags.find(set(key), key);
    if (entry >= 0) {
      tags.remove(entry);
      setDirty(entry, false);
    }
  }

  public void invalidateAll() {
    if (untouched) {
      return;
    }
    untouched = true;
    tags.clear();
    Arrays.fill(dirty, 0);
    dirtyCount = 0;
  }

  /** Cleans the first written entry from an entry on and returns it, or -1 if there is none. */
  public int clean(int from) {
    if (dirtyCount == 0) {
      return -1;
    }
    int word = from / Long.SIZE;
    if (word == dirty.length) {
      return -1;
    }
    long rest = dirty[word] & -1L << from;
    while (rest == 0 && ++word < dirty.length) {
      rest = dirty[word];
    }
    if (rest == 0) {
      return -1;
    }
    int entry = word * Long.SIZE + LowestBit.of(rest);
    setDirty(entry, false);
    return entry;
  }

  /** What an entry holds. */
  public long key(int entry) {
    return tags.line(entry);
  }

  private boolean isDirty(int entry) {
    return (dirty[entry / Long.SIZE] >>> entry & 1) != 0;
  }

  private void setDirty(int entry, boolean value) {
    if (isDirty(entry) != value) {
      dirty[entry / Long.SIZE] ^= 1L << entry;
      dirtyCount += value ? 1 : -1;
    }
  }
}
