package dev.warpline.memory.flow;

import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Replacement;
import java.util.Arrays;
import java.util.function.Supplier;

/** One L2 partition: 128-byte lines of four sectors, write-back. */
final class L2Partition {
  private static final long NO_LINE = -1;

  /** Places of a stretch, at least a set: sets next to each other whose state is made with one. */
  private static final int LEAST_STRETCH = 1024;

  /**
   * Words that the state of a place takes, side by side: valid sectors in bits 0-3, dirty ones in
   * 4-7, when a part of it was written last in 8-31, words written in sectors that are not valid
   * from bit 32 on; the line; when the content of each half of it arrives.
   */
  private static final int WORDS = 4;

  private static final int LINE = 1;
  private static final int ARRIVES = 2;

  /** Of the first of them: where the words written begin. */
  private static final int WRITTEN = 32;

  /** And where the cycle of the last write of a part of the line begins. */
  private static final int MARK = 8;

  private static final long MARK_MASK = (1L << WRITTEN) - (1L << MARK);

  /** Cycles in which another write of a part of the line waits for the first. */
  private static final int RIGHT_AFTER = 32;

  private final AddressHash setOf;
  private final int ways;

  /** A place is a set and a way; a set has room for a power of two of them. */
  private final int wayBits;

  /** Places of a stretch. */
  private final int perStretch;

  private final int stretchBits;
  private final Supplier<Replacement> replacement;

  // By stretch: the words of its places, and which way of its sets makes room; made when used.
  private final long[][] states;
  private final Replacement[] replacements;

  /** By set: its first ways, which hold a line. */
  private final int[] filled;

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
    states = new long[((count << wayBits) + perStretch - 1) / perStretch][];
    replacements = new Replacement[states.length];
    filled = new int[count];
  }

  /** All lines leave; who knows their places forgets them. */
  void clear() {
    for (int i = 0; i < states.length; i++) {
      if (states[i] != null) {
        Arrays.fill(states[i], 0);
        replacements[i].begin(perStretch >> wayBits, ways);
      }
    }
    Arrays.fill(filled, 0);
    partialLines = 0;
  }

  /** A new kernel counts its cycles from 0: everything that is here has arrived. */
  void forgetTimes() {
    for (long[] state : states) {
      for (int i = 0; state != null && i < state.length; i += WORDS) {
        state[i] &= ~MARK_MASK;
        state[i + ARRIVES] = 0;
        state[i + ARRIVES + 1] = 0;
      }
    }
  }

  /** The set of a line; all partitions that are alike have the same. */
  int set(long line) {
    return setOf.place(line);
  }

  /** Reads the state of a place, so that it is at hand when its line is served. */
  long glance(int place) {
    long[] state = state(place);
    int i = word(place);
    return state[i] ^ state[i + ARRIVES + 1];
  }

  /** The same of the place that another line of a set would get. */
  long glanceRoom(int set) {
    int stretch = set << wayBits >>> stretchBits;
    return states[stretch] == null ? 0 : glance(set << wayBits | room(stretch, set));
  }

  /** The way of a set that another line would get. */
  private int room(int stretch, int set) {
    return filled[set] < ways
        ? filled[set]
        : replacements[stretch].victim(inStretch(set), Replacement.Lines.ALL);
  }

  /** A set's number in its stretch. */
  private int inStretch(int set) {
    return set & (perStretch >> wayBits) - 1;
  }

  /** The line in a place was used. */
  void touch(int place) {
    int way = place & (1 << wayBits) - 1;
    replacements[place >>> stretchBits].used(inStretch(place >>> wayBits), way);
  }

  /** The line in a place. */
  long line(int place) {
    return state(place)[word(place) + LINE];
  }

  /** Gives a line that is absent a place in its set, pushing another out. */
  int allocate(int set, long line) {
    int stretch = set << wayBits >>> stretchBits;
    if (states[stretch] == null) {
      states[stretch] = new long[WORDS * perStretch];
      replacements[stretch] = replacement.get();
      replacements[stretch].begin(perStretch >> wayBits, ways);
    }
    int way = room(stretch, set);
    int place = set << wayBits | way;
    long[] state = states[stretch];
    int i = word(place);
    if (way == filled[set]) {
      filled[set]++;
      victimLine = NO_LINE;
      victimDirty = 0;
    } else {
      victimLine = state[i + LINE];
      victimDirty = (int) state[i] >>> 4 & 15;
      if (incomplete(state, i) != 0) {
        partialLines--;
      }
    }
    replacements[stretch].filled(inStretch(set), way);
    state[i] = 0;
    state[i + ARRIVES] = 0;
    state[i + ARRIVES + 1] = 0;
    state[i + LINE] = line;
    return place;
  }

  private long[] state(int place) {
    return states[place >>> stretchBits];
  }

  /** Where the words of a place begin in its stretch. */
  private int word(int place) {
    return WORDS * (place & perStretch - 1);
  }

  int valid(int place) {
    return (int) state(place)[word(place)] & 15;
  }

  /** Sectors are on their way and count as present: who asks for them waits. */
  void fill(int place, int sectors, double when) {
    long[] state = state(place);
    int i = word(place);
    present(state, i, sectors);
    if ((sectors & 3) != 0) {
      arrive(state, i + ARRIVES, when);
    }
    if ((sectors & 12) != 0) {
      arrive(state, i + ARRIVES + 1, when);
    }
  }

  private static void arrive(long[] state, int word, double when) {
    if (when > Double.longBitsToDouble(state[word])) {
      state[word] = Double.doubleToRawLongBits(when);
    }
  }

  /** Sectors that were written in part are whole, and device memory has them. */
  void completed(int place, int sectors, double when) {
    state(place)[word(place)] &= ~((long) sectors << 4);
    fill(place, sectors, when);
  }

  /** When sectors that are present have arrived. */
  double arrives(int place, int sectors) {
    long[] state = state(place);
    int i = word(place) + ARRIVES;
    double when = (sectors & 3) != 0 ? Double.longBitsToDouble(state[i]) : 0;
    return (sectors & 12) != 0 ? Math.max(when, Double.longBitsToDouble(state[i + 1])) : when;
  }

  /** Sectors of a copy that are written elsewhere are of no use any more. */
  void drop(int place, int sectors) {
    state(place)[word(place)] &= ~sectors;
  }

  /** Writes sectors that are present, or made present with it. */
  void write(int place, int sectors) {
    present(state(place), word(place), sectors | sectors << 4);
  }

  /** Sets the bits of sectors that are valid or dirty; a line may be whole by that. */
  private void present(long[] state, int i, int bits) {
    boolean partial = incomplete(state, i) != 0;
    state[i] |= bits;
    if (partial && incomplete(state, i) == 0) {
      partialLines--;
    }
  }

  /** Whether a part of a line is written right after another; takes note of the time. */
  boolean writtenAgain(int place, double time) {
    long[] state = state(place);
    int i = word(place);
    long mark = Math.max(1L << MARK, (long) time << MARK & MARK_MASK);
    long last = state[i] & MARK_MASK;
    state[i] = state[i] & ~MARK_MASK | mark;
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
    long[] state = state(place);
    int i = word(place);
    boolean before = incomplete(state, i) != 0;
    int written = (int) (state[i] >>> WRITTEN);
    int complete = 0;
    for (int m = sectors; m != 0; m &= m - 1) {
      int sector = Integer.numberOfTrailingZeros(m);
      int all = 0xff << 8 * sector;
      written |= words & all;
      if ((written & all) == all) {
        complete |= 1 << sector;
      }
    }
    state[i] |= complete | sectors << 4 | (long) written << WRITTEN;
    boolean after = incomplete(state, i) != 0;
    partialLines += (after ? 1 : 0) - (before ? 1 : 0);
    return after && !before;
  }

  /** Sectors of a line that are written only in part; none if it has moved. */
  int incomplete(int place, long line) {
    long[] state = state(place);
    int i = word(place);
    return state[i + LINE] == line ? incomplete(state, i) : 0;
  }

  private static int incomplete(long[] state, int i) {
    int written = (int) (state[i] >>> WRITTEN);
    if (written == 0) {
      return 0;
    }
    int sectors =
        ((written & 0xff) != 0 ? 1 : 0)
            | ((written & 0xff00) != 0 ? 2 : 0)
            | ((written & 0xff0000) != 0 ? 4 : 0)
            | ((written & 0xff000000) != 0 ? 8 : 0);
    return sectors & ~(int) state[i];
  }
}
