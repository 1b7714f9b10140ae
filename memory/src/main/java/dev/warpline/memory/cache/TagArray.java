package dev.warpline.memory.cache;

import dev.warpline.policy.Replacement;
import java.util.Arrays;

/**
 * Which line each way of each set holds, and which one makes room for another: the tags of every
 * cache and TLB. What a cache knows of a line beyond its tag it keeps itself, by the line's place.
 *
 * <p>A place is a number that stands for a way of a set: lines of a set have neighbouring ones.
 */
public final class TagArray {
  /** No place. */
  public static final int NONE = -1;

  /** What is no line. */
  public static final long EMPTY = -1;

  /** Ways of a set that are looked at one by one; more of them are found through an index. */
  private static final int FEW = 16;

  /** Ways whose marks are in one word, as a shift; fewer ways are looked at without marks. */
  private static final int WORD_BITS = 3;

  private static final long EACH_BYTE = 0x0101010101010101L;
  private static final long HIGHEST_BITS = 0x8080808080808080L;

  private final Replacement replacement;
  private int ways;
  private int wayBits;
  private long[] lines = new long[0];

  /** A byte of each line, mixed from all of its bits: tells which of eight ways may hold it. */
  private long[] marks = new long[0];

  /** Per set, the first way that may be empty. */
  private int[] emptyFrom = new int[0];

  private LineIndex index;

  /**
   * @param replacement of this array alone
   */
  public TagArray(int sets, int ways, Replacement replacement) {
    this.replacement = replacement;
    resize(sets, ways);
  }

  /** Gives the array a shape; it is empty then. */
  public void resize(int sets, int ways) {
    this.ways = ways;
    wayBits = 32 - Integer.numberOfLeadingZeros(ways - 1);
    if (lines.length != sets << wayBits) {
      lines = new long[sets << wayBits];
      marks = new long[lines.length >>> WORD_BITS];
    }
    if (emptyFrom.length != sets) {
      emptyFrom = new int[sets];
    }
    index = ways <= FEW ? null : new LineIndex(sets * ways);
    clear();
  }

  /** Throws all lines out. */
  public void clear() {
    Arrays.fill(lines, EMPTY);
    Arrays.fill(emptyFrom, 0);
    if (index != null) {
      index.clear();
    }
    replacement.begin(emptyFrom.length, ways);
  }

  /** Numbers of places are below this. */
  public int places() {
    return lines.length;
  }

  /** Where a line of a set is, or {@link #NONE}. */
  public int find(int set, long line) {
    if (index != null) {
      return index.find(line);
    }
    int first = set << wayBits;
    if (wayBits < WORD_BITS) {
      for (int place = first; place < first + ways; place++) {
        if (lines[place] == line) {
          return place;
        }
      }
      return NONE;
    }
    long wanted = mark(line) * EACH_BYTE;
    int end = first + (1 << wayBits) >>> WORD_BITS;
    for (int word = first >>> WORD_BITS; word < end; word++) {
      long differs = marks[word] ^ wanted;
      // The lowest byte found is one that differs in nothing; some of the others may differ.
      long alike = differs - EACH_BYTE & ~differs & HIGHEST_BITS;
      for (; alike != 0; alike &= alike - 1) {
        int place = (word << WORD_BITS) + (Long.numberOfTrailingZeros(alike) >>> WORD_BITS);
        if (lines[place] == line) {
          return place;
        }
      }
    }
    return NONE;
  }

  private static long mark(long line) {
    return line * 0x9E3779B97F4A7C15L >>> 56;
  }

  /** Reads what {@link #find} will read first of a set, so that it is at hand then. */
  public long touch(int set) {
    int first = set << wayBits;
    return wayBits < WORD_BITS ? lines[first] : marks[first >>> WORD_BITS];
  }

  /** A line was used. */
  public void used(int place) {
    replacement.used(place >>> wayBits, way(place));
  }

  /**
   * The place that a line of a set would get: an empty one, or that of a line which may leave.
   *
   * @return {@link #NONE} if no line may
   */
  public int room(int set, Replacement.Lines lines) {
    int first = set << wayBits;
    int way = emptyFrom[set];
    while (way < ways && this.lines[first + way] != EMPTY) {
      way++;
    }
    emptyFrom[set] = way;
    if (way == ways) {
      way = replacement.victim(set, lines);
    }
    return way == Replacement.NONE ? NONE : first + way;
  }

  /** Puts a line that is not there into a place, in place of the one it holds. */
  public void put(int place, long line) {
    if (index != null) {
      if (lines[place] != EMPTY) {
        index.remove(lines[place], place);
      }
      index.add(line, place);
    } else if (wayBits >= WORD_BITS) {
      int shift = (place & 7) << 3;
      int word = place >>> WORD_BITS;
      marks[word] = marks[word] & ~(0xffL << shift) | mark(line) << shift;
    }
    lines[place] = line;
    replacement.filled(place >>> wayBits, way(place));
  }

  /** Throws out what a place holds. */
  public void remove(int place) {
    if (index != null) {
      index.remove(lines[place], place);
    }
    lines[place] = EMPTY;
    int set = place >>> wayBits;
    int way = way(place);
    emptyFrom[set] = Math.min(emptyFrom[set], way);
    replacement.emptied(set, way);
  }

  /** The line in a place, or {@link #EMPTY}. */
  public long line(int place) {
    return lines[place];
  }

  /** Place of a way. */
  public int place(int set, int way) {
    return set << wayBits | way;
  }

  private int way(int place) {
    return place & (1 << wayBits) - 1;
  }
}
