package dev.warpline.memory.flow;

/**
 * Where a group of SMs merges reads, beside L2: a sector that another SM asked for and that L2 has
 * not answered yet is not asked for again, if both ask for the same sectors of the line, for a
 * limited number of SMs. A table of the last request for each line, four ways, oldest replaced
 * first.
 */
final class MergePoint {
  private static final int WAYS = 4;

  // Words of an entry, side by side: the line, when it was asked for and when L2 answers, as bits
  // of doubles, and its sectors with how many reads joined above them.
  private static final int ASKED = 1;
  private static final int ANSWERED = 2;
  private static final int READS = 3;
  private static final int WORDS = 4;
  private static final int JOINED_SHIFT = 8;

  private static final int SET_WORDS = WAYS * WORDS;

  private final int sets;

  /** Made at the first read of the group: few groups are at work in a small kernel. */
  private long[] entries;

  private boolean empty = true;
  private final int most;

  /** Sectors of the last {@link #find} that another asked for, and when L2 answers. */
  int found;

  double foundAt;

  /**
   * @param most reads that one request to L2 can serve
   * @param lines that are remembered
   */
  MergePoint(int most, int lines) {
    this.most = most;
    sets = lines / WAYS;
  }

  void reset() {
    if (!empty) {
      clear();
      empty = true;
    }
  }

  private void clear() {
    for (int at = 0; at < entries.length; at += WORDS) {
      entries[at] = -1;
      entries[at + ASKED] = 0;
    }
  }

  private int first(long hash) {
    return (int) (hash & sets - 1) * SET_WORDS;
  }

  /** Reads what {@link #find} will read, so that it is at hand then. */
  long glance(long hash) {
    return empty ? 0 : entries[first(hash)] ^ entries[first(hash) + SET_WORDS / 2];
  }

  /** A read that comes by at a time joins one that waits for the same sectors, if there is one. */
  void find(long line, long hash, int wanted, double time) {
    found = 0;
    if (empty) {
      return;
    }
    int first = first(hash);
    for (int at = first; at < first + SET_WORDS; at += WORDS) {
      if (entries[at] == line
          && time(at + ANSWERED) > time
          && entries[at + READS] >>> JOINED_SHIFT < most
          && (entries[at + READS] & 0xff) == wanted) {
        entries[at + READS] += 1 << JOINED_SHIFT;
        found = wanted;
        foundAt = time(at + ANSWERED);
        return;
      }
    }
  }

  void add(long line, long hash, int wanted, double time, double answer) {
    if (entries == null) {
      entries = new long[sets * SET_WORDS];
      clear();
    }
    empty = false;
    int first = first(hash);
    int victim = first;
    for (int at = first; at < first + SET_WORDS; at += WORDS) {
      if (entries[at] == line) {
        victim = at;
        break;
      }
      if (time(at + ASKED) < time(victim + ASKED)) {
        victim = at;
      }
    }
    entries[victim] = line;
    entries[victim + ASKED] = Double.doubleToRawLongBits(time);
    entries[victim + ANSWERED] = Double.doubleToRawLongBits(answer);
    entries[victim + READS] = wanted | 1 << JOINED_SHIFT;
  }

  private double time(int word) {
    return Double.longBitsToDouble(entries[word]);
  }
}
