package dev.warpline.nvidia.classic;

/** In which order a scheduler considers its warps. */
abstract class IssuePolicy {
  static final int NONE = -1;

  /**
   * The warp to issue from.
   *
   * @param eligible warps that can issue now, a bit each; not 0
   * @param held warps that wait or have left
   * @param onMemory warps whose next instruction needs a register from a load under way
   * @return the warp, or {@link #NONE}
   */
  abstract int choose(long eligible, long held, long onMemory);

  /** Whether {@link #choose} looks at {@code onMemory}. */
  boolean looksAtMemory() {
    return false;
  }

  /** A warp has issued. */
  void issued(int warp) {}

  /** A warp has come to the SM. */
  void launched(int warp) {}

  /** A warp has left the SM. */
  void retired(int warp) {}

  /**
   * The policy that Accel-Sim's option names.
   *
   * @param warps the scheduler's warps, a bit each
   */
  static IssuePolicy of(String name, long warps) {
    if (name.contains("lrr")) {
      return new LooseRoundRobin();
    }
    if (name.contains("two_level_active")) {
      return new TwoLevel(number(name, 1));
    }
    if (name.contains("gto")) {
      return new GreedyThenOldest(true, Long.SIZE);
    }
    if (name.contains("rrr")) {
      return new StrictRoundRobin(warps);
    }
    if (name.contains("old")) {
      return new GreedyThenOldest(false, Long.SIZE);
    }
    if (name.contains("warp_limiting")) {
      return new GreedyThenOldest(true, number(name, 2));
    }
    throw new IllegalArgumentException(
        "scheduler \""
            + name
            + "\": expected lrr, gto, rrr, old, two_level_active:<n>:<i>:<o> or"
            + " warp_limiting:2:<n>");
  }

  private static int number(String name, int field) {
    String[] fields = name.split(":");
    try {
      return Integer.parseInt(fields[field].trim());
    } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "scheduler \"" + name + "\": expected a number as field " + (field + 1), e);
    }
  }

  /** Circular, starting after the warp that issued last. */
  private static final class LooseRoundRobin extends IssuePolicy {
    private int start;

    @Override
    int choose(long eligible, long held, long onMemory) {
      // Shifting by 64 would shift by 0: start never exceeds 63.
      long after = eligible & -1L << start;
      return Long.numberOfTrailingZeros(after != 0 ? after : eligible);
    }

    @Override
    void issued(int warp) {
      start = warp + 1 & 63;
    }
  }

  /** The warp that issued last, then the oldest; perhaps only among the n oldest. */
  private static final class GreedyThenOldest extends IssuePolicy {
    private final boolean greedy;
    private final int limit;
    private final int[] byAge = new int[Long.SIZE];
    private int count;
    private int last = NONE;

    GreedyThenOldest(boolean greedy, int limit) {
      this.greedy = greedy;
      this.limit = limit;
    }

    @Override
    int choose(long eligible, long held, long onMemory) {
      if (greedy && last != NONE && (eligible >>> last & 1) != 0) {
        return last;
      }
      for (int i = 0; i < count && i < limit; i++) {
        if ((eligible >>> byAge[i] & 1) != 0) {
          return byAge[i];
        }
      }
      return NONE;
    }

    @Override
    void issued(int warp) {
      last = warp;
    }

    @Override
    void launched(int warp) {
      byAge[count++] = warp;
    }

    @Override
    void retired(int warp) {
      int at = 0;
      while (byAge[at] != warp) {
        at++;
      }
      System.arraycopy(byAge, at + 1, byAge, at, count - at - 1);
      count--;
      if (last == warp) {
        last = NONE;
      }
    }
  }

  /** Keeps its warp until that issued or is held, then takes the next that is not held. */
  private static final class StrictRoundRobin extends IssuePolicy {
    private final long warps;
    private int current;

    StrictRoundRobin(long warps) {
      this.warps = warps;
      current = Long.numberOfTrailingZeros(warps);
    }

    @Override
    int choose(long eligible, long held, long onMemory) {
      if ((held >>> current & 1) != 0) {
        current = next(held);
      }
      return (eligible >>> current & 1) != 0 ? current : NONE;
    }

    @Override
    void issued(int warp) {
      current = next(0);
    }

    private int next(long held) {
      long free = warps & ~held;
      long others = free == 0 ? warps : free;
      long after = current == 63 ? 0 : others & -1L << current + 1;
      return Long.numberOfTrailingZeros(after != 0 ? after : others);
    }
  }

  /** An active set in loose round robin; warps that wait for long make room for pending ones. */
  private static final class TwoLevel extends IssuePolicy {
    private final int activeLimit;
    private final int[] queue = new int[Long.SIZE];
    private int count;
    private int start;

    TwoLevel(int activeLimit) {
      this.activeLimit = activeLimit;
    }

    @Override
    int choose(long eligible, long held, long onMemory) {
      // The first activeLimit entries are active, the rest is the pending queue.
      int active = Math.min(activeLimit, count);
      for (int i = 0; i < active && count > activeLimit; i++) {
        int warp = queue[i];
        if (((held | onMemory) >>> warp & 1) != 0) {
          queue[i] = queue[activeLimit];
          System.arraycopy(queue, activeLimit + 1, queue, activeLimit, count - activeLimit - 1);
          queue[count - 1] = warp;
        }
      }
      for (int i = 0; i < active; i++) {
        int at = (start + i) % active;
        if ((eligible >>> queue[at] & 1) != 0) {
          start = at + 1;
          return queue[at];
        }
      }
      return NONE;
    }

    @Override
    boolean looksAtMemory() {
      return true;
    }

    @Override
    void launched(int warp) {
      queue[count++] = warp;
    }

    @Override
    void retired(int warp) {
      int at = 0;
      while (queue[at] != warp) {
        at++;
      }
      System.arraycopy(queue, at + 1, queue, at, count - at - 1);
      count--;
    }
  }
}
