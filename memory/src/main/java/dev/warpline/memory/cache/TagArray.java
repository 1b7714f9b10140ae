package dev.warpline.memory.cache;

import dev.warpline.policy.LowestBit;
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

  /**
   * A byte of each line, mixed from all of its bits and never 0: tells which of eight ways may hold
   * it, and which are empty, without a look at the lines.
   */
  private long[] marks = new long[0];

  /** Whether lines have marks: not the few of a small set, and not those found through an index. */
  private boolean marked;

  /** Per set without marks, the first way that may be empty. */
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
    index = ways <= FEW ? null : new LineIndex();
    marked = index == null && wayBits >= WORD_BITS;
    clear();
  }

  /** Throws all lines out. */
  public void clear() {
    Arrays.fill(lines, EMPTY);
    Arrays.fill(marks, 0);
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
    if (!marked) {
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
      long alike = zeroBytes(marks[word] ^ wanted);
      for (; alike != 0; alike &= alike - 1) {
        int place = (word << WORD_BITS) + (LowestBit.of(alike) >>> WORD_BITS);
        if (lines[place] == line) {
          return place;
        }
      }
    }
    return NONE;
  }

  private static long mark(long line) {
    long mixed = line * 0x9E3779B97F4A7C15L >>> 56;
    return mixed + (mixed - 1 >>> 63);
  }

  /** The highest bit of each byte that is zero. Only the lowest is certain; others may be not. */
  private static long zeroBytes(long word) {
    return word - EACH_BYTE & ~word & HIGHEST_BITS;
  }

  /** Reads what {@link #find} will read first of a set, so that it is at hand then. */
  public long touch(int set) {
    int first = set << wayBits;
    return marked ? marks[first >>> WORD_BITS] : lines[first];
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
    int way = marked ? firstWithoutMark(set) : firstEmpty(set);
    if (way >= ways) {
      way = replacement.victim(set, lines);
    }
    return way == Replacement.NONE ? NONE : place(set, way);
  }

  private int firstEmpty(int set) {
    int first = set << wayBits;
    int way = emptyFrom[set];
    while (way < ways && lines[first + way] != EMPTY) {
      way++;
    }
    emptyFrom[set] = way;
    return way;
  }

  private int firstWithoutMark(int set) {
    int first = set << wayBits;
    for (int way = 0; way < ways; way += 1 << WORD_BITS) {
      long empty = zeroBytes(marks[first + way >>> WORD_BITS]);
      if (empty != 0) {
        return way + (LowestBit.of(empty) >>> WORD_BITS);
      }
    }
    return ways;
  }

  /** Puts a line that is not there into a place, in place of the one it holds. */
  public void put(int place, long line) {
    if (index != null) {
      if (lines[place] != EMPTY) {
        index.remove(lines[place], place);
      }
      index.add(line, place);
    } else if (marked) {
      setMark(place, mark(line));
    }
    lines[place] = line;
    replacement.filled(place >>> wayBits, way(place));
  }

  /** Throws out what a place holds. */
  public void remove(int place) {
    if (index != null) {
      index.remove(lines[place], place);
    } else if (marked) {
      setMark(place, 0);
    }
    lines[place] = EMPTY;
    int set = place >>> wayBits;
    int way = way(place);
    emptyFrom[set] = Math.min(emptyFrom[set], way);
    replacement.emptied(set, way);
  }

  private void setMark(int place, long mark) {
    int shift = (place & 7) << 3;
    int word = place >>> WORD_BITS;
    marks[word] = marks[word] & ~(0xffL << shift) | mark << shift;
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
