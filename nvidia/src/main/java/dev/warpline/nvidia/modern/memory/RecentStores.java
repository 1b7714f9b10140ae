package dev.warpline.nvidia.modern.memory;

/** The lines of the two store instructions that came last, and the requests they are part of. */
final class RecentStores {
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private Instruction last = new Instruction();
  private Instruction before = new Instruction();
  private Instruction current = new Instruction();

  /** One instruction's lines; by line: its request and when that has the way out. */
  private static final class Instruction {
    /** A warp has no more lanes, and a lane's words lie in two lines at most. */
    static final int MOST_LINES = 64;

    final long[] line = new long[MOST_LINES];
    final long[] number = new long[MOST_LINES];
    final long[] queued = new long[MOST_LINES];
    int count;
    long issued;

    /** A bit for each line, which others may share. */
    long filter;

    void begin(long when) {
      count = 0;
      issued = when;
      filter = 0;
    }

    /** Where a line is, mostly at a known place; negative if nowhere. */
    int find(long wanted, int likely) {
      if ((filter >>> bit(wanted) & 1) == 0) {
        return -1;
      }
      if (likely < count && line[likely] == wanted) {
        return likely;
      }
      int k = count - 1;
      while (k >= 0 && line[k] != wanted) {
        k--;
      }
      return k;
    }

    static int bit(long line) {
      return (int) (line * 0x9e3779b97f4a7c15L >>> 58);
    }
  }

  void clear() {
    last.begin(LONG_AGO);
    before.begin(LONG_AGO);
    current.begin(LONG_AGO);
  }

  /** Another instruction begins. */
  void next(long issued) {
    Instruction free = before;
    before = last;
    last = current;
    current = free;
    current.begin(issued);
  }

  /** Where the instruction before has a line; negative if nowhere. */
  int before(long line) {
    return last.find(line, current.count);
  }

  /** Cycles from the issue of the instruction before to that of this one. */
  long gap() {
    return current.issued - last.issued;
  }

  long number(int k) {
    return last.number[k];
  }

  /** When that store, as far as it goes, has the way out. */
  long queued(int k) {
    return last.queued[k];
  }

  /** Whether neither of the last two instructions stored to a line within so many cycles. */
  boolean settled(long line, long cycles) {
    return settled(last, line, cycles) && settled(before, line, cycles);
  }

  private boolean settled(Instruction other, long line, long cycles) {
    return current.issued - other.issued >= cycles || other.find(line, current.count) < 0;
  }

  void add(long line, long number, long queued) {
    int k = current.count++;
    current.line[k] = line;
    current.number[k] = number;
    current.queued[k] = queued;
    current.filter |= 1L << Instruction.bit(line);
  }
}
