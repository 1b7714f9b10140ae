package dev.warpline.memory.flow;

import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.memory.cache.TagArray;
import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Replacement;
import java.util.Arrays;
import java.util.function.Supplier;

/** One L2 partition: 128-byte lines of four sectors, write-back. */
final class L2Partition {
  /** Places of a stretch, at least a set: sets next to each other whose state is made with one. */
  private static final int LEAST_STRETCH = 1024;

  /** Words that the state of a place takes in {@link Stretch#state}. */
  private static final int WORDS = 3;

  /** Of the first of them: where the words written begin. */
  private static final int WRITTEN = 32;

  /** And where the cycle of the last write of a part of the line begins. */
  private static final int MARK = 8;

  private static final long MARK_MASK = (1L << WRITTEN) - (1L << MARK);

  /** Cycles in which another write of a part of the line waits for the first. */
  private static final int RIGHT_AFTER = 32;

  /** State of some neighbouring places. */
  private static final class Stretch {
    final TagArray tags;

    /**
     * By place, side by side: valid sectors in bits 0-3, dirty ones in 4-7, when a part of it was
     * written last in 8-31, words written in sectors that are not valid from bit 32 on; then when
     * the content of each half line arrives.
     */
    final long[] state;

    Stretch(TagArray tags) {
      this.tags = tags;
      state = new long[WORDS * tags.places()];
    }

    void clear() {
      tags.clear();
      Arrays.fill(state, 0);
    }

    int written(int i) {
      return (int) (state[WORDS * i] >>> WRITTEN);
    }

    double arrives(int i, int half) {
      return Double.longBitsToDouble(state[WORDS * i + 1 + half]);
    }

    void fill(int i, int half, double when) {
      if (when > arrives(i, half)) {
        state[WORDS * i + 1 + half] = Double.doubleToRawLongBits(when);
      }
    }
  }

  private final AddressHash setOf;
  private final int ways;

  /** A place is a set and a way; a set has room for a power of two of them. */
  private final int wayBits;

  /** Places of a stretch. */
  private final int perStretch;

  private final int stretchBits;
  private final Supplier<Replacement> replacement;
  private final Stretch[] stretches;

  /** Line and dirty sectors that the last {@link #allocate} pushed out; 0 sectors if none. */
  long victimLine;

  int victimDirty;

  /** Lines that have sectors written in part. */
  int partialLines;

  /**
   * @param replacement makes one for each stretch
   * @param setOf not yet begun
   */
  L2Partition(long bytes, int ways, Supplier<Replacement> replacement, AddressHash setOf) {
    this.ways = ways;
    this.replacement = replacement;
    int count = (int) (bytes / FlowMemorySpec.LINE / ways);
    this.setOf = setOf;
    setOf.begin(count, FlowMemorySpec.LINE);
    wayBits = 32 - Integer.numberOfLeadingZeros(ways - 1);
    perStretch = Math.max(LEAST_STRETCH, 1 << wayBits);
    stretchBits = Integer.numberOfTrailingZeros(perStretch);
    stretches = new Stretch[((count << wayBits) + perStretch - 1) / perStretch];
  }

  void clear() {
    for (Stretch stretch : stretches) {
      if (stretch != null) {
        stretch.clear();
      }
    }
    partialLines = 0;
  }

  /** A new kernel counts its cycles from 0: everything that is here has arrived. */
  void forgetTimes() {
    for (Stretch stretch : stretches) {
      if (stretch != null) {
        for (int i = 0; i < perStretch; i++) {
          stretch.state[WORDS * i] &= ~MARK_MASK;
          stretch.state[WORDS * i + 1] = 0;
          stretch.state[WORDS * i + 2] = 0;
        }
      }
    }
  }

  /** The set of a line; all partitions that are alike have the same. */
  int set(long line) {
    return setOf.place(line);
  }

  /** Reads what {@link #peek} will read first, so that it is at hand then. */
  long glance(int set) {
    int place = set << wayBits;
    Stretch at = stretches[place >>> stretchBits];
    return at == null ? 0 : at.tags.touch((place & perStretch - 1) >>> wayBits);
  }

  /** Reads the state of a line's place as well, or of the one that it would get. */
  long glance(int set, long line) {
    int place = set << wayBits;
    Stretch at = stretches[place >>> stretchBits];
    if (at == null) {
      return 0;
    }
    int its = (place & perStretch - 1) >>> wayBits;
    int i = at.tags.find(its, line);
    if (i < 0) {
      i = at.tags.room(its, Replacement.Lines.ALL);
    }
    return at.tags.line(i) ^ at.state[WORDS * i] ^ at.state[WORDS * i + 2];
  }

  /** Place of a line of a set, which was used by this, or -1. */
  int find(int set, long line) {
    int place = peek(set, line);
    if (place >= 0) {
      touch(place);
    }
    return place;
  }

  void touch(int place) {
    stretch(place).tags.used(place & perStretch - 1);
  }

  /** Place of a line of a set, or -1. */
  int peek(int set, long line) {
    int place = set << wayBits;
    Stretch at = stretches[place >>> stretchBits];
    if (at == null) {
      return -1;
    }
    int found = at.tags.find((place & perStretch - 1) >>> wayBits, line);
    return found < 0 ? found : place & -perStretch | found;
  }

  /** Gives a line that is absent a place in its set, pushing another out. */
  int allocate(int set, long line) {
    int place = set << wayBits;
    Stretch at = stretches[place >>> stretchBits];
    if (at == null) {
      at = new Stretch(new TagArray(perStretch >> wayBits, ways, replacement.get()));
      stretches[place >>> stretchBits] = at;
    }
    int i = at.tags.room((place & perStretch - 1) >>> wayBits, Replacement.Lines.ALL);
    victimLine = at.tags.line(i);
    victimDirty = victimLine == TagArray.EMPTY ? 0 : (int) at.state[WORDS * i] >>> 4 & 15;
    if (incomplete(at, i) != 0) {
      partialLines--;
    }
    at.tags.put(i, line);
    at.state[WORDS * i] = 0;
    at.state[WORDS * i + 1] = 0;
    at.state[WORDS * i + 2] = 0;
    return place & -perStretch | i;
  }

  private Stretch stretch(int place) {
    return stretches[place >>> stretchBits];
  }

  int valid(int place) {
    return (int) stretch(place).state[WORDS * (place & perStretch - 1)] & 15;
  }

  /** Sectors are on their way and count as present: who asks for them waits. */
  void fill(int place, int sectors, double when) {
    Stretch at = stretch(place);
    int i = place & perStretch - 1;
    present(at, i, sectors);
    if ((sectors & 3) != 0) {
      at.fill(i, 0, when);
    }
    if ((sectors & 12) != 0) {
      at.fill(i, 1, when);
    }
  }

  /** Sectors that were written in part are whole, and device memory has them. */
  void completed(int place, int sectors, double when) {
    stretch(place).state[WORDS * (place & perStretch - 1)] &= ~((long) sectors << 4);
    fill(place, sectors, when);
  }

  /** When sectors that are present have arrived. */
  double arrives(int place, int sectors) {
    Stretch at = stretch(place);
    int i = place & perStretch - 1;
    double when = (sectors & 3) != 0 ? at.arrives(i, 0) : 0;
    return (sectors & 12) != 0 ? Math.max(when, at.arrives(i, 1)) : when;
  }

  /** Sectors of a copy that are written elsewhere are of no use any more. */
  void drop(int set, long line, int sectors) {
    int place = peek(set, line);
    if (place >= 0) {
      stretch(place).state[WORDS * (place & perStretch - 1)] &= ~sectors;
    }
  }

  /** Writes sectors that are present, or made present with it. */
  void write(int place, int sectors) {
    present(stretch(place), place & perStretch - 1, sectors | sectors << 4);
  }

  /** Sets the bits of sectors that are valid or dirty; a line may be whole by that. */
  private void present(Stretch at, int i, int bits) {
    boolean partial = incomplete(at, i) != 0;
    at.state[WORDS * i] |= bits;
    if (partial && incomplete(at, i) == 0) {
      partialLines--;
    }
  }

  /** Whether a part of a line is written right after another; takes note of the time. */
  boolean writtenAgain(int place, double time) {
    Stretch at = stretch(place);
    int i = WORDS * (place & perStretch - 1);
    long mark = Math.max(1L << MARK, (long) time << MARK & MARK_MASK);
    long last = at.state[i] & MARK_MASK;
    at.state[i] = at.state[i] & ~MARK_MASK | mark;
    // The difference of two times that are known modulo a power of two is a signed number.
    int above = Long.SIZE - WRITTEN;
    return last != 0 && Math.abs((mark - last) << above >> above + MARK) < RIGHT_AFTER;
  }

  /**
   * Writes words of sectors that need not be present. A sector becomes valid when all its words
   * have been written.
   *
   * @return whether the line has sectors written in part now and had none before
   */
  boolean writeWords(int place, int sectors, int words) {
    Stretch at = stretch(place);
    int i = place & perStretch - 1;
    boolean before = incomplete(at, i) != 0;
    int written = at.written(i);
    int complete = 0;
    for (int m = sectors; m != 0; m &= m - 1) {
      int sector = Integer.numberOfTrailingZeros(m);
      int all = 0xff << 8 * sector;
      written |= words & all;
      if ((written & all) == all) {
        complete |= 1 << sector;
      }
    }
    at.state[WORDS * i] |= complete | sectors << 4 | (long) written << WRITTEN;
    boolean after = incomplete(at, i) != 0;
    partialLines += (after ? 1 : 0) - (before ? 1 : 0);
    return after && !before;
  }

  /** Sectors of a line that are written only in part; none if it has moved. */
  int incomplete(int place, long line) {
    Stretch at = stretch(place);
    int i = place & perStretch - 1;
    return at.tags.line(i) == line ? incomplete(at, i) : 0;
  }

  private static int incomplete(Stretch at, int i) {
    int written = at.written(i);
    if (written == 0) {
      return 0;
    }
    int sectors =
        ((written & 0xff) != 0 ? 1 : 0)
            | ((written & 0xff00) != 0 ? 2 : 0)
            | ((written & 0xff0000) != 0 ? 4 : 0)
            | ((written & 0xff000000) != 0 ? 8 : 0);
    return sectors & ~(int) at.state[WORDS * i];
  }
}
