package dev.warpline.memory.flow;

import dev.warpline.engine.gpu.DramStandard.Command;
import dev.warpline.engine.gpu.DramStandard.Scope;
import dev.warpline.memory.dram.Rules;
import dev.warpline.policy.PagePolicy;
import java.util.Arrays;

/**
 * A DRAM channel whose time is reserved ahead, by the rules of its standard. A request is told at
 * once when it will be served, yet it does not wait for those before it as in a queue: it takes the
 * first room of the data bus, and joins its row if that is still open when the request comes. So
 * the channel does what one with a first-ready scheduler and a long queue would do.
 *
 * <p>Times are command cycles.
 */
final class ReservedChannel {
  private static final long NONE = -1;

  /** Rows of a bank that a request may still join, the open one among them. */
  private static final int ROWS = 4;

  private final Rules rules;
  private final PagePolicy pages;
  private final int groups;
  private final int toRead;
  private final int toWrite;
  private final int openAtLeast;
  private final int reopen;
  private final int closing;
  private final int afterRead;
  private final int afterWrite;
  private final double column;
  private final double sameGroup;
  private final double turn;
  private final double rowSpacing;

  private final long[] row;
  private final double[] openAt;
  private final double[] closesAt;
  private final int[] newest;

  /** Per bank, when its open row may be closed as far as its reads and writes go. */
  private final double[] usedUntil;

  private final Lane columns = new Lane();
  private final Lane activates = new Lane();
  private int lastGroup;
  private boolean writing;

  /** Rows opened, and those among them for which another one had to be closed. */
  long opened;

  long conflicts;

  ReservedChannel(Rules rules, PagePolicy pages) {
    this.rules = rules;
    this.pages = pages;
    groups = rules.standard().bankGroups();
    toRead = rules.wait(Command.ACTIVATE, Command.READ, Scope.BANK);
    toWrite = rules.wait(Command.ACTIVATE, Command.WRITE, Scope.BANK);
    openAtLeast = rules.wait(Command.ACTIVATE, Command.PRECHARGE, Scope.BANK);
    reopen = rules.wait(Command.ACTIVATE, Command.ACTIVATE, Scope.BANK);
    closing = rules.wait(Command.PRECHARGE, Command.ACTIVATE, Scope.BANK);
    afterRead = rules.wait(Command.READ, Command.PRECHARGE, Scope.BANK);
    afterWrite = rules.wait(Command.WRITE, Command.PRECHARGE, Scope.BANK);
    column = rules.spacing(Command.READ);
    sameGroup = Math.max(column, rules.wait(Command.READ, Command.READ, Scope.GROUP));
    // Half of a turn to writing and back: each way is charged when it is taken.
    turn =
        (rules.wait(Command.READ, Command.WRITE, Scope.CHANNEL)
                    + rules.wait(Command.WRITE, Command.READ, Scope.CHANNEL))
                / 2.0
            - column;
    rowSpacing = rules.spacing(Command.ACTIVATE);
    int banks = rules.standard().banks();
    row = new long[banks * ROWS];
    openAt = new double[banks * ROWS];
    closesAt = new double[banks * ROWS];
    newest = new int[banks];
    usedUntil = new double[banks];
    reset();
  }

  /** Time starts at 0 with closed banks. */
  void reset() {
    Arrays.fill(row, NONE);
    Arrays.fill(usedUntil, 0);
    columns.reset();
    activates.reset();
    writing = false;
    pages.begin(newest.length);
    opened = 0;
    conflicts = 0;
  }

  /** When the read or write command of an access goes that comes at a time. */
  double access(int bank, long wanted, boolean write, double now) {
    int place = joined(bank, wanted, now);
    if (place < 0) {
      place = open(bank, wanted, now);
    }
    double ready = Math.max(now, openAt[place] + (write ? toWrite : toRead));
    int group = bank % groups;
    double cycles = group == lastGroup ? sameGroup : column;
    double turning = writing == write ? 0 : turn;
    lastGroup = group;
    writing = write;
    double when = columns.reserve(ready, turning + cycles) - cycles;
    usedUntil[bank] = Math.max(usedUntil[bank], when + (write ? afterWrite : afterRead));
    if (place == bank * ROWS + newest[bank]) {
      long nanoseconds = pages.openFor(bank, wanted);
      closesAt[place] =
          nanoseconds == PagePolicy.FOREVER
              ? Double.MAX_VALUE
              : when + nanoseconds * rules.clockMHz() / 1000;
    }
    return when;
  }

  /** The place of a row that is open when a request for it comes, or -1. */
  private int joined(int bank, long wanted, double now) {
    for (int back = 0; back < ROWS; back++) {
      int place = bank * ROWS + (newest[bank] - back & ROWS - 1);
      if (row[place] == wanted && now <= closed(bank, place)) {
        return place;
      }
    }
    return -1;
  }

  private int open(int bank, long wanted, double now) {
    int before = bank * ROWS + newest[bank];
    double earliest = now;
    if (row[before] != NONE) {
      double closed = closed(bank, before);
      if (closed > now) {
        closed = now;
        conflicts++;
      }
      closed = Math.max(closed, Math.max(openAt[before] + openAtLeast, usedUntil[bank]));
      closesAt[before] = closed;
      earliest = Math.max(now, Math.max(closed + closing, openAt[before] + reopen));
    }
    earliest = activates.reserve(refreshed(bank, before, earliest), rowSpacing) - rowSpacing;
    opened++;
    newest[bank] = newest[bank] + 1 & ROWS - 1;
    int place = bank * ROWS + newest[bank];
    row[place] = wanted;
    openAt[place] = earliest;
    closesAt[place] = Double.MAX_VALUE;
    return place;
  }

  /** When a row is closed: by another, the page policy, or a refresh of its bank. */
  private double closed(int bank, int place) {
    double since = openAt[place] - rules.firstRefresh(bank);
    double rounds = since < 0 ? 0 : Math.floor(since / rules.refreshPeriod()) + 1;
    double refresh = rules.firstRefresh(bank) + rounds * rules.refreshPeriod();
    return Math.min(closesAt[place], refresh);
  }

  /**
   * The time, or the end of a refresh of the bank that is going on then, which had to close the row
   * before if that was open.
   */
  private double refreshed(int bank, int before, double time) {
    double since = time - rules.firstRefresh(bank);
    if (since < 0) {
      return time;
    }
    double phase = since - Math.floor(since / rules.refreshPeriod()) * rules.refreshPeriod();
    boolean open = row[before] != NONE && closesAt[before] >= time - phase;
    double busy = rules.refreshCycles() + (open ? closing : 0);
    return phase < busy ? time + busy - phase : time;
  }
}
