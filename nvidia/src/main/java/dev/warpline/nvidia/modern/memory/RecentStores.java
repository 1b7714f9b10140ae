package dev.warpline.nvidia.modern.memory;

/** The lines of the two store instructions that came last, and the requests they are part of. */
final class RecentStores {
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private Instruction last = new Instruction();
  private Instruction before = new Instruction();
  private Instruction current = new Instruction();

  /** One instruction's lines; by line: its request, when it came, when it has the way out. */
  private static final class Instruction {
    /** A warp has no more lanes, and a lane's words lie in two lines at most. */
    static final int MOST_LINES = 64;

    final long[] line = new long[MOST_LINES];
    final int[] number = new int[MOST_LINES];
    final long[] came = new long[MOST_LINES];
    final long[] queued = new long[MOST_LINES];
    int count;

    int find(long wanted, int likely) {
      if (likely < count && line[likely] == wanted) {
        return likely;
      }
      int k = count - 1;
      while (k >= 0 && line[k] != wanted) {
        k--;
      }
      return k;
    }
  }

  void clear() {
    last.count = 0;
    before.count = 0;
    current.count = 0;
  }

  /** Another instruction begins. */
  void next() {
    Instruction free = before;
    before = last;
    last = current;
    current = free;
    current.count = 0;
  }

  /** Where the instruction before has a line, mostly at the same place; negative if nowhere. */
  int before(long line) {
    return last.find(line, current.count);
  }

  int number(int k) {
    return last.number[k];
  }

  /** When that store, as far as it goes, has the way out. */
  long queued(int k) {
    return last.queued[k];
  }

  long lastTime(int k) {
    return k < 0 ? LONG_AGO : last.came[k];
  }

  /** When one of the last two instructions stored to a line. */
  long lastTime(long line) {
    int k = last.find(line, current.count);
    if (k >= 0) {
      return last.came[k];
    }
    k = before.find(line, current.count);
    return k < 0 ? LONG_AGO : before.came[k];
  }

  void add(long line, int number, long came, long queued) {
    int k = current.count++;
    current.line[k] = line;
    current.number[k] = number;
    current.came[k] = came;
    current.queued[k] = queued;
  }
}
