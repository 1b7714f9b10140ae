package dev.warpline.engine.profile;

import dev.warpline.engine.profile.FollowedLine.Access;
import dev.warpline.engine.profile.FollowedLine.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes down where requests for one line are and when. Each SM writes its accesses, on whatever
 * thread runs it; the memory side, which answers requests one after the other, writes their way.
 * Both count the requests of an SM in the order in which they leave it, and that number joins them.
 */
public final class LineTrail {
  /** How a request leaves its SM: loads and what writes keep their order, each by itself. */
  private static final int LOADS = 0;

  private static final int WRITES = 1;
  private static final int COPIES = 2;
  private static final int WAYS_OUT = 3;

  /** Ways of requests kept: those of accesses in the window may end after it. */
  private static final int MOST_WAYS = 100_000;

  private static final int NONE = -1;

  /** An access as its SM sees it. */
  private record Seen(
      int warp,
      int row,
      String what,
      int sectors,
      String l1,
      long issued,
      long looked,
      int way,
      int request,
      boolean own,
      long hitAt,
      long after) {}

  /** The way of a request behind its SM. */
  private record Way(
      int sm, boolean copy, int sectors, long left, long back, String answered, List<Step> steps) {}

  private final long line;
  private final long start;
  private final long from;
  private final long until;
  private final Sm[] sms;
  private final int[] served;
  private final Map<Long, Way> ways = new HashMap<>();
  private final List<Access> evictions = new ArrayList<>();

  // The request that the memory side answers now.
  private int sm;
  private int way;
  private boolean kept;
  private long left;
  private int sectors;
  private List<Step> steps = new ArrayList<>();
  private final StringBuilder dram = new StringBuilder();

  LineTrail(long line, long start, long from, long until, int sms) {
    this.line = line;
    this.start = start;
    this.from = from;
    this.until = until;
    this.sms = new Sm[sms];
    served = new int[sms * WAYS_OUT];
    for (int i = 0; i < sms; i++) {
      this.sms[i] = new Sm();
    }
  }

  /** Address of the line. */
  public long line() {
    return line;
  }

  /** Where an SM writes its accesses. */
  public Sm sm(int number) {
    return sms[number];
  }

  /** The accesses of one SM; only its thread writes. */
  public final class Sm {
    private final List<Seen> seen = new ArrayList<>();
    private final int[] sent = new int[WAYS_OUT];

    /** By sector, the request that brings it. */
    private final int[] bringing = {NONE, NONE, NONE, NONE};

    private int leftOut;

    /** Address of the line. */
    public long line() {
      return line;
    }

    /**
     * A load looked into L1.
     *
     * @param wanted sectors it needs
     * @param late those of them that are on their way already
     * @param asked those that it asks for
     * @param looked when it came to L1
     * @param hitAt when data of L1 are in registers
     * @param after from the data's arrival to registers, in cycles
     */
    public void load(
        int warp,
        int row,
        int wanted,
        int late,
        int asked,
        long issued,
        long looked,
        long hitAt,
        long after) {
      int request = NONE;
      if (asked != 0) {
        request = sent[LOADS]++;
        for (int sector = 0; sector < bringing.length; sector++) {
          bringing[sector] = (asked >> sector & 1) != 0 ? request : bringing[sector];
        }
      } else if (late != 0) {
        request = bringing[Integer.numberOfTrailingZeros(late)];
      }
      int hits = wanted & ~late & ~asked;
      List<String> words = new ArrayList<>();
      said(words, "hit", hits, wanted);
      said(words, "merged with a request on its way", late, wanted);
      said(words, "miss", asked, wanted);
      add(
          new Seen(
              warp,
              row,
              "load",
              wanted,
              String.join(", ", words),
              issued,
              looked,
              LOADS,
              request,
              asked != 0,
              hitAt,
              after));
    }

    private void said(List<String> words, String what, int some, int all) {
      if (some != 0) {
        words.add(some == all ? what : what + " (" + sectors(some) + ")");
      }
    }

    /** Something was written, through L1. */
    public void write(int warp, int row, String what, int wanted, long issued, long looked) {
      int request = sent[WRITES]++;
      add(
          new Seen(
              warp, row, what, wanted, "passed", issued, looked, WRITES, request, true, looked, 0));
    }

    private void add(Seen access) {
      long since = access.looked - start;
      if (since < from || since >= until) {
        return;
      }
      if (seen.size() == FollowedLine.MOST) {
        leftOut++;
      } else {
        seen.add(access);
      }
    }
  }

  /**
   * The memory side takes a request for the line.
   *
   * @param write whether it is a store, an atomic or a reduction
   * @param copy whether a copy engine asks
   * @param time when it left its SM
   */
  public void begin(int asking, boolean write, boolean copy, int wanted, long time) {
    sm = asking;
    way = copy ? COPIES : write ? WRITES : LOADS;
    sectors = wanted;
    left = time - start;
    kept = left >= from && ways.size() < MOST_WAYS;
    steps = new ArrayList<>();
  }

  /** The request is somewhere from a time to another. */
  public void step(String where, double begin, double end) {
    // Where parts of it are in two places at once, the later one counts from the earlier's end.
    long before = steps.isEmpty() ? 0 : steps.get(steps.size() - 1).until();
    long since = Math.max((long) begin - start, before);
    long to = (long) end - start;
    if (kept && to > since) {
      steps.add(new Step(where, since, to));
    }
  }

  /** A part of it goes to a DRAM channel; {@link #fetched} tells when all parts are back. */
  public void dram(int channel, int bank, long row, boolean opens) {
    if (kept) {
      dram.append(dram.isEmpty() ? "" : ", ");
      dram.append("channel ").append(channel).append(" bank ").append(bank).append(" row ");
      dram.append(row).append(opens ? " opened" : " open");
    }
  }

  /** Device memory was read. */
  public void fetched(double begin, double end) {
    step("DRAM " + dram, begin, end);
    dram.setLength(0);
  }

  /** The request was answered. */
  public void end(double back, String answered) {
    int place = sm * WAYS_OUT + way;
    int number = served[place]++;
    dram.setLength(0);
    if (kept) {
      ways.put(
          (long) place << 32 | number,
          new Way(sm, way == COPIES, sectors, left, (long) back - start, answered, steps));
    }
  }

  /** The line lost its place in L2. */
  public void evicted(int partition, double when, boolean dirty) {
    long at = (long) when - start;
    if (at >= from && at < until && evictions.size() < FollowedLine.MOST) {
      String what = "L2 partition " + partition + (dirty ? ", written to DRAM" : ", clean");
      List<Step> gone = List.of(new Step(what, at, at + 1));
      evictions.add(new Access(NONE, NONE, NONE, "eviction", 15, "-", at, at + 1, gone));
    }
  }

  /** What was written down, in the order of time. */
  FollowedLine followed() {
    List<Access> all = new ArrayList<>(evictions);
    int leftOut = 0;
    for (int number = 0; number < sms.length; number++) {
      for (Seen seen : sms[number].seen) {
        all.add(access(number, seen));
      }
      leftOut += sms[number].leftOut;
    }
    for (Way one : ways.values()) {
      if (one.copy() && one.left() < until) {
        all.add(
            new Access(
                one.sm(),
                NONE,
                NONE,
                "copy",
                one.sectors(),
                "-",
                one.left(),
                one.back(),
                one.steps()));
      }
    }
    all.sort(
        Comparator.comparingLong(LineTrail::time)
            .thenComparingInt(Access::sm)
            .thenComparingLong(Access::done)
            .thenComparingInt(Access::warp));
    if (all.size() > FollowedLine.MOST) {
      leftOut += all.size() - FollowedLine.MOST;
      all = all.subList(0, FollowedLine.MOST);
    }
    return new FollowedLine(line, List.copyOf(all), leftOut);
  }

  /** Its first step is where it came to L1, or left the SM. */
  private static long time(Access access) {
    return access.steps().isEmpty() ? access.issued() : access.steps().get(0).from();
  }

  private Access access(int number, Seen seen) {
    long looked = seen.looked() - start;
    List<Step> its = new ArrayList<>();
    Way found =
        seen.request() == NONE
            ? null
            : ways.get((long) (number * WAYS_OUT + seen.way()) << 32 | seen.request());
    long done = seen.hitAt() - start;
    if (found == null) {
      its.add(new Step("L1", looked, Math.max(looked + 1, done)));
    } else if (seen.own()) {
      its.add(new Step("L1", looked, found.left()));
      its.addAll(found.steps());
      done = Math.max(done, found.back() + seen.after());
      if (seen.after() > 0) {
        its.add(new Step("to registers", found.back(), done));
      }
    } else {
      // The request of another was under way when this access came.
      done = Math.max(done, found.back() + seen.after());
      its.add(new Step("waits for sectors on their way", looked, done));
    }
    return new Access(
        number,
        seen.warp(),
        seen.row(),
        seen.what(),
        seen.sectors(),
        seen.l1() + (found == null || !seen.own() ? "" : "; " + found.answered()),
        seen.issued() - start,
        Math.max(done, looked + 1),
        its);
  }

  /** Sectors in words: {@code sectors 0 1 3}. */
  private static String sectors(int some) {
    StringBuilder text = new StringBuilder(Integer.bitCount(some) == 1 ? "sector" : "sectors");
    for (int m = some; m != 0; m &= m - 1) {
      text.append(' ').append(Integer.numberOfTrailingZeros(m));
    }
    return text.toString();
  }
}
