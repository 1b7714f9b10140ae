package dev.warpline.nvidia.modern.memory;

import dev.warpline.memory.Coalescer;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Payload;
import java.util.Arrays;

/**
 * Turns the lanes of a memory instruction into 128-byte lines with the words they touch, and into
 * shared-memory passes. It keeps nothing that a result depends on: all SMs that a thread runs share
 * one, so that it stays in the caches of this machine.
 */
public final class LaneAddresses {
  private static final int LANES = 32;
  private static final int BANKS = 32;
  private static final int SECTOR = 32;
  static final int LINE = 128;

  /** By lane; only where {@link #expanded}. */
  final long[] address = new long[LANES];

  /** Where the addresses stand as long as nobody needs them one by one. */
  private long[] data;

  private int payload;
  private int active;
  private boolean expanded = true;

  /**
   * What lanes that are as far apart share: their distance, or the number of their list's shape;
   * with the first lane's place in its line it tells all about lines and banks. {@link #UNIQUE} if
   * it is not known.
   */
  private long pattern = UNIQUE;

  private static final long UNIQUE = Long.MIN_VALUE;

  /** Whose number that is; null of a distance. */
  private Object whose;

  /** Lines of the last {@link #lines} and the 32-bit words that are touched. */
  final Coalescer lines = new Coalescer(Coalescer.Order.AS_TOUCHED, 4);

  /** Passes that a store of these lines takes: one each, unless {@link #pack} made them fewer. */
  int passes;

  /** Passes through the banks of L1, which are those of shared memory, if they were counted. */
  int bankPasses;

  /** Most lanes that named one 32-bit word, for atomics. */
  int repeats;

  /** Distance of the lanes' addresses if they were recorded as one; else 0. */
  private long distance;

  // What was found for patterns before, one at each place.
  private static final int KNOWN_BITS = 9;

  private static final class Known {
    long pattern = UNIQUE;
    Object whose;
    int mask;
    int how;
    int passes;
    int lines;

    // As long as the most lines that were kept here.
    long[] start = NO_LONGS;
    int[] touched;
    int[] lanes;

    void makeRoom(int count) {
      if (start.length < count) {
        start = new long[count];
        touched = new int[count];
        lanes = new int[count];
      }
    }
  }

  private static final long[] NO_LONGS = {};

  private final Known[] known = new Known[1 << KNOWN_BITS];

  private final int[] bankCount = new int[BANKS];
  private final int[] bankWord = new int[BANKS];

  /** By bank: its words; made when lanes first collide. */
  private int[] bankWords;

  /** One for each thread of a crew. */
  public static LaneAddresses[] each(int threads) {
    LaneAddresses[] all = new LaneAddresses[threads];
    Arrays.setAll(all, thread -> new LaneAddresses());
    return all;
  }

  /**
   * Takes a payload's addresses for the lanes of a mask.
   *
   * @param shapesOf whose numbers of shapes its lists have ({@link BlockTrace#shapesOf})
   */
  void addresses(long[] data, Object shapesOf, int payload, int mask) {
    this.data = data;
    this.payload = payload;
    active = mask;
    expanded = false;
    if (Payload.kind(data, payload) == Payload.STRIDE) {
      distance = data[payload + 2];
      pattern = distance;
      whose = null;
      return;
    }
    distance = 0;
    pattern = UNIQUE;
    whose = shapesOf;
    if (whose != null) {
      int shape = Payload.shape(data, payload);
      pattern = shape == 0 ? UNIQUE : shape;
    }
  }

  private void expand() {
    if (!expanded) {
      expanded = true;
      Payload.addresses(data, payload, active, address);
    }
  }

  /** The address of the first lane of a mask. */
  long first(int mask) {
    return expanded ? address[Integer.numberOfTrailingZeros(mask)] : data[payload + 1];
  }

  /**
   * The place where a finding for the pattern is kept.
   *
   * @param how everything but the pattern and the mask that decides about it
   */
  private Known known(int mask, int how) {
    long mixed = (pattern * 31 + mask) * 31 + how;
    int at = (int) (mixed * 0x9E3779B97F4A7C15L >>> Long.SIZE - KNOWN_BITS);
    Known its = known[at];
    if (its == null) {
      its = new Known();
      known[at] = its;
    }
    return its;
  }

  private boolean holds(Known its, int mask, int how) {
    return its.pattern == pattern && its.mask == mask && its.how == how && its.whose == whose;
  }

  private void keep(Known its, int mask, int how) {
    its.pattern = pattern;
    its.whose = whose;
    its.mask = mask;
    its.how = how;
  }

  private static final int LINES = 1;
  private static final int MATRICES = 2;
  private static final int ATOMICS = 3;

  private int how(int mask, int bytes, int what) {
    return (int) first(mask) & LINE - 1 | bytes << 8 | what << 24;
  }

  /** For passes through banks the place in a word is enough: the rest turns the banks round. */
  private int howInBanks(int mask, int bytes, int what) {
    return (int) first(mask) & 3 | bytes << 8 | what << 24;
  }

  /**
   * Collects the lines that the lanes of a mask touch, in the order of their lanes.
   *
   * @param inBanks whether {@link #bankPasses} are counted, too
   */
  void lines(int mask, int bytes, boolean inBanks) {
    lines.begin(LINE);
    long first = first(mask);
    int words = Math.max(1, bytes >> 2);
    if (lines.isRun(first, distance, bytes)) {
      lines.touchRun(first, Integer.bitCount(mask), bytes);
      bankPasses = words;
    } else if (pattern == UNIQUE) {
      findLines(mask, bytes, words, inBanks);
    } else {
      int how = how(mask, bytes, LINES);
      Known its = known(mask, how);
      if (holds(its, mask, how)) {
        recall(its, first & -LINE);
      } else {
        findLines(mask, bytes, words, true);
        remember(its, first & -LINE, mask, how);
      }
    }
    passes = lines.count;
  }

  private void findLines(int mask, int bytes, int words, boolean inBanks) {
    expand();
    lines.touch(address, mask, bytes);
    bankPasses = words;
    if (inBanks && lines.count > 1) {
      bankPasses = countSharedPasses(mask, bytes, false);
    }
  }

  private void recall(Known its, long base) {
    lines.count = its.lines;
    for (int k = 0; k < its.lines; k++) {
      lines.start[k] = base + its.start[k];
      lines.touched[k] = its.touched[k];
      lines.lanes[k] = its.lanes[k];
    }
    bankPasses = its.passes;
  }

  private void remember(Known its, long base, int mask, int how) {
    keep(its, mask, how);
    its.makeRoom(lines.count);
    its.lines = lines.count;
    for (int k = 0; k < lines.count; k++) {
      its.start[k] = lines.start[k] - base;
      its.touched[k] = lines.touched[k];
      its.lanes[k] = lines.lanes[k];
    }
    its.passes = bankPasses;
  }

  /**
   * Leaves of the sectors that the last {@link #lines} collected as many as the bytes of the lanes
   * fill. Which ones are left follows from the first lane's place in its sector, so that accesses
   * that walk through their sectors touch each of them once.
   */
  void pack(int mask, int bytes) {
    int count = lines.count;
    int[] words = lines.touched;
    int sectors = 0;
    for (int k = 0; k < count; k++) {
      sectors += Integer.bitCount(sectorsOf(words[k]));
    }
    int needed = Math.max(1, (Integer.bitCount(mask) * bytes + SECTOR - 1) / SECTOR);
    if (sectors <= needed) {
      return;
    }
    int parts = (sectors + needed - 1) / needed;
    int place = (int) first(mask) & SECTOR - 1;
    int from = place * parts / SECTOR * needed;
    int n = 0;
    int left = 0;
    for (int k = 0; k < count; k++) {
      int kept = 0;
      for (int m = sectorsOf(words[k]); m != 0; m &= m - 1) {
        if (n >= from && n < from + needed) {
          kept |= 0xff << 8 * Integer.numberOfTrailingZeros(m);
        }
        n++;
      }
      if ((words[k] & kept) != 0) {
        lines.start[left] = lines.start[k];
        words[left++] = words[k] & kept;
      }
    }
    lines.count = left;
    passes = (needed + 3) / 4;
    bankPasses = passes;
  }

  /** The sectors of a line in which some words lie, as a mask. */
  static int sectorsOf(int words) {
    return ((words & 0xff) != 0 ? 1 : 0)
        | ((words & 0xff00) != 0 ? 2 : 0)
        | ((words & 0xff0000) != 0 ? 4 : 0)
        | ((words & 0xff000000) != 0 ? 8 : 0);
  }

  /** Local memory: word i of all lanes lies side by side in one line. */
  void localLines(int mask, int bytes, long base) {
    expand();
    lines.begin(LINE);
    int n = Math.max(1, bytes >> 2);
    for (int m = mask; m != 0; m &= m - 1) {
      int lane = Integer.numberOfTrailingZeros(m);
      long word = address[lane] >>> 2;
      for (int k = 0; k < n; k++) {
        lines.touch(base + (word + k & 0x7fffff) * LINE + 4 * lane, 4);
      }
    }
    passes = lines.count;
    bankPasses = n;
  }

  /** Counts how often the most popular word of a warp's atomics is named. */
  void countRepeats(int mask) {
    repeats = 1;
    expand();
    if (lines.count > 1) {
      return;
    }
    long first = address[Integer.numberOfTrailingZeros(mask)];
    boolean same = true;
    for (int m = mask; m != 0; m &= m - 1) {
      same &= address[Integer.numberOfTrailingZeros(m)] == first;
    }
    if (same) {
      repeats = Integer.bitCount(mask);
      return;
    }
    for (int m = mask; m != 0; m &= m - 1) {
      long a = address[Integer.numberOfTrailingZeros(m)];
      int n = 0;
      for (int k = m; k != 0; k &= k - 1) {
        if (address[Integer.numberOfTrailingZeros(k)] == a) {
          n++;
        }
      }
      repeats = Math.max(repeats, n);
    }
  }

  /** The same for the lanes that fall into one of the lines. */
  int repeatsIn(int index, int mask) {
    if (lines.count == 1) {
      return repeats;
    }
    if (lines.lanes[index] == 1) {
      return 1;
    }
    int most = 1;
    for (int m = mask; m != 0; m &= m - 1) {
      long a = address[Integer.numberOfTrailingZeros(m)];
      if ((a & -LINE) != lines.start[index]) {
        continue;
      }
      int n = 0;
      for (int k = m; k != 0; k &= k - 1) {
        if (address[Integer.numberOfTrailingZeros(k)] == a) {
          n++;
        }
      }
      most = Math.max(most, n);
    }
    return most;
  }

  /** Passes of a matrix load: each 8x8 matrix is eight rows of 16 bytes, a row per lane. */
  int matrixPasses(int mask, int matrices) {
    if (pattern == UNIQUE) {
      return countMatrixPasses(mask, matrices);
    }
    int how = howInBanks(mask, matrices, MATRICES);
    Known its = known(mask, how);
    if (!holds(its, mask, how)) {
      its.passes = countMatrixPasses(mask, matrices);
      keep(its, mask, how);
    }
    return its.passes;
  }

  private int countMatrixPasses(int mask, int matrices) {
    expand();
    int passes = 0;
    for (int i = 0; i < matrices; i++) {
      int rows = mask & 0xff << 8 * i;
      passes += rows == 0 ? 1 : countSharedPasses(rows, 16, false);
    }
    return Math.max(1, passes);
  }

  /**
   * Passes through the 32 banks of shared memory: the most different words that one bank must
   * serve. Atomics on one word follow each other, so each counts.
   */
  int sharedPasses(int mask, int bytes, boolean atomic) {
    if (pattern == UNIQUE) {
      return countSharedPasses(mask, bytes, atomic);
    }
    int how = howInBanks(mask, bytes, atomic ? ATOMICS : 0);
    Known its = known(mask, how);
    if (!holds(its, mask, how)) {
      its.passes = countSharedPasses(mask, bytes, atomic);
      keep(its, mask, how);
    }
    return its.passes;
  }

  private int countSharedPasses(int mask, int bytes, boolean atomic) {
    expand();
    if (bytes == 8) {
      return phases(mask, 8, 0xffff, 16);
    }
    if (bytes == 16) {
      return phases(mask & 0xffff, 16, 0xff, 8) + phases(mask & 0xffff0000, 16, 0xff0000, 8);
    }
    return passes(mask, bytes, atomic);
  }

  /**
   * Wide accesses go by halves (quarters) of a warp; two of them share a pass if nothing collides
   * and no four neighbouring lanes have more than two addresses.
   */
  private int phases(int mask, int bytes, int firstHalf, int shift) {
    int first = mask & firstHalf;
    int second = mask & firstHalf << shift;
    if (first == 0 || second == 0) {
      return mask == 0 ? 0 : passes(mask, bytes, false);
    }
    return neighboursShare(mask) && passes(mask, bytes, false) == 1
        ? 1
        : passes(first, bytes, false) + passes(second, bytes, false);
  }

  private boolean neighboursShare(int mask) {
    for (int lane = 0; lane < LANES; lane += 4) {
      int group = mask >>> lane & 15;
      if (Integer.bitCount(group) > 2 && differ(lane, group) > 2) {
        return false;
      }
    }
    return true;
  }

  /** Different addresses of up to four lanes from one on. */
  private int differ(int lane, int group) {
    int different = 0;
    for (int i = 0; i < 4; i++) {
      boolean known = (group >>> i & 1) == 0;
      for (int k = 0; k < i && !known; k++) {
        known = (group >>> k & 1) != 0 && address[lane + k] == address[lane + i];
      }
      different += known ? 0 : 1;
    }
    return different;
  }

  private int passes(int mask, int bytes, boolean atomic) {
    return !atomic && fitsOnePass(mask, bytes) ? 1 : countPasses(mask, bytes, atomic);
  }

  /** Whether no bank is asked for two different words: the common case, and quick to see. */
  private boolean fitsOnePass(int mask, int bytes) {
    int perLane = Math.max(1, bytes >> 2);
    int seen = 0;
    long last = -1;
    for (int m = mask; m != 0; m &= m - 1) {
      long from = address[Integer.numberOfTrailingZeros(m)] >>> 2;
      if (from == last) {
        continue;
      }
      last = from;
      for (int k = 0; k < perLane; k++) {
        int word = (int) from + k;
        int bank = word & BANKS - 1;
        if ((seen >>> bank & 1) == 0) {
          seen |= 1 << bank;
          bankWord[bank] = word;
        } else if (bankWord[bank] != word) {
          return false;
        }
      }
    }
    return true;
  }

  private int countPasses(int mask, int bytes, boolean atomic) {
    if (bankWords == null) {
      bankWords = new int[BANKS * 4 * LANES];
    }
    Arrays.fill(bankCount, 0);
    int most = 0;
    int perLane = Math.max(1, bytes >> 2);
    for (int m = mask; m != 0; m &= m - 1) {
      long from = address[Integer.numberOfTrailingZeros(m)] >>> 2;
      for (int k = 0; k < perLane; k++) {
        int word = (int) from + k;
        int bank = word & BANKS - 1;
        int n = bankCount[bank];
        int base = bank * 4 * LANES;
        boolean known = false;
        if (!atomic) {
          for (int i = n - 1; i >= 0 && !known; i--) {
            known = bankWords[base + i] == word;
          }
        }
        if (!known) {
          bankWords[base + n] = word;
          bankCount[bank] = n + 1;
          most = Math.max(most, n + 1);
        }
      }
    }
    return Math.max(1, most);
  }
}
