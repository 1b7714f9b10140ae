package dev.warpline.memory.dram;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.DramStandard.Command;
import dev.warpline.memory.dram.Rules.Rule;
import dev.warpline.policy.PagePolicy;
import java.util.Arrays;

/**
 * The banks of one channel: which rows are open, and from when on each command may go. Times are
 * command cycles. Refreshes and rows that the page policy closes are caught up with when a bank is
 * looked at.
 */
public final class Banks {
  /** What a bank without an open row has. */
  public static final long CLOSED = -1;

  private static final int ACTIVATE = Command.ACTIVATE.ordinal();
  private static final int PRECHARGE = Command.PRECHARGE.ordinal();
  private static final int READ = Command.READ.ordinal();
  private static final int WRITE = Command.WRITE.ordinal();
  private static final int REFRESH = Command.REFRESH.ordinal();

  private final Rules rules;
  private final PagePolicy pages;
  private final int banks;
  private final int groups;
  private final long[] row;

  /** When the page policy closes an open row. */
  private final long[] closesAt;

  // From when on a command may go, by command and then bank or group.
  private final long[] inBank;
  private final long[] inGroup;
  private final long[] inChannel;

  /** Times of the last commands, for rules that look at more than the last one. */
  private final long[][] last;

  private final int[] lastAt;
  private long refreshAt;
  private int refreshBank;

  @Counter("rows opened")
  public long activates;

  @Counter("rows closed because another one of the bank was needed")
  public long conflicts;

  @Counter("refreshes")
  public long refreshes;

  public Banks(Rules rules, PagePolicy pages) {
    this.rules = rules;
    this.pages = pages;
    banks = rules.standard.banks();
    groups = rules.standard.bankGroups();
    int commands = rules.after.length;
    row = new long[banks];
    closesAt = new long[banks];
    inBank = new long[commands * banks];
    inGroup = new long[commands * groups];
    inChannel = new long[commands];
    last = new long[commands][];
    lastAt = new int[commands];
    for (int c = 0; c < commands; c++) {
      int most = 1;
      for (Rule rule : rules.after[c]) {
        most = Math.max(most, rule.window());
      }
      last[c] = new long[most];
    }
    reset();
  }

  /** Time starts at 0: all banks are closed, and any command may go. */
  public void reset() {
    Arrays.fill(row, CLOSED);
    Arrays.fill(inBank, 0);
    Arrays.fill(inGroup, 0);
    Arrays.fill(inChannel, 0);
    for (long[] times : last) {
      Arrays.fill(times, Long.MIN_VALUE / 2);
    }
    refreshAt = rules.refreshEvery;
    refreshBank = 0;
    pages.begin(banks);
    activates = 0;
    conflicts = 0;
    refreshes = 0;
  }

  /** Does what was due in a bank until now. */
  public void catchUp(int bank, long now) {
    if (refreshAt <= now) {
      refresh(now);
    }
    if (row[bank] != CLOSED && closesAt[bank] <= now) {
      close(bank, closesAt[bank]);
    }
  }

  /** The open row of a bank, or {@link #CLOSED}. */
  public long row(int bank) {
    return row[bank];
  }

  /** The command that an access needs next. */
  public Command next(int bank, long wanted, boolean write) {
    if (row[bank] == wanted) {
      return write ? Command.WRITE : Command.READ;
    }
    return row[bank] == CLOSED ? Command.ACTIVATE : Command.PRECHARGE;
  }

  /** From when on a command to a bank may go. */
  public long earliest(Command command, int bank) {
    return earliest(command.ordinal(), bank);
  }

  private long earliest(int command, int bank) {
    return Math.max(
        inChannel[command],
        Math.max(inGroup[command * groups + bank % groups], inBank[command * banks + bank]));
  }

  /**
   * Gives a command.
   *
   * @param wanted the row, for an activate, read or write
   */
  public void issue(Command command, int bank, long wanted, long when) {
    switch (command) {
      case ACTIVATE -> open(bank, wanted, when);
      case PRECHARGE -> {
        conflicts++;
        close(bank, when);
      }
      case READ, WRITE -> use(command.ordinal(), bank, when);
      default -> throw new IllegalArgumentException("refreshes come by themselves");
    }
  }

  /**
   * Makes an access as soon as can be.
   *
   * @return when its read or write command goes
   */
  public long access(int bank, long wanted, boolean write, long now) {
    catchUp(bank, now);
    long when = now;
    if (row[bank] != wanted) {
      if (row[bank] != CLOSED) {
        when = Math.max(when, earliest(PRECHARGE, bank));
        conflicts++;
        close(bank, when);
      }
      when = Math.max(when, earliest(ACTIVATE, bank));
      open(bank, wanted, when);
    }
    int column = write ? WRITE : READ;
    when = Math.max(when, earliest(column, bank));
    use(column, bank, when);
    return when;
  }

  private void open(int bank, long wanted, long when) {
    activates++;
    row[bank] = wanted;
    closesAt[bank] = Long.MAX_VALUE;
    told(ACTIVATE, bank, when);
  }

  private void use(int column, int bank, long when) {
    told(column, bank, when);
    long nanoseconds = pages.openFor(bank, row[bank]);
    closesAt[bank] =
        nanoseconds == PagePolicy.FOREVER
            ? Long.MAX_VALUE
            : when + (long) Math.ceil(nanoseconds * rules.clockMHz / 1000);
  }

  private void close(int bank, long from) {
    row[bank] = CLOSED;
    told(PRECHARGE, bank, Math.max(from, earliest(PRECHARGE, bank)));
  }

  private void refresh(long now) {
    boolean perBank = rules.standard.refresh().perBank();
    // Those that ended before the last round of the banks began hold nobody up any more.
    long rounds = perBank ? banks : 1;
    long missed = (now - refreshAt) / rules.refreshEvery - rounds;
    if (missed > 0) {
      refreshAt += missed * rules.refreshEvery;
      refreshBank = (int) ((refreshBank + missed) % banks);
      refreshes += missed;
    }
    while (refreshAt <= now) {
      if (perBank) {
        refreshOne(refreshBank);
        refreshBank = refreshBank + 1 == banks ? 0 : refreshBank + 1;
      } else {
        long start = refreshAt;
        for (int bank = 0; bank < banks; bank++) {
          if (row[bank] != CLOSED) {
            close(bank, refreshAt);
          }
          start = Math.max(start, earliest(REFRESH, bank));
        }
        told(REFRESH, 0, start);
      }
      refreshes++;
      refreshAt += rules.refreshEvery;
    }
  }

  private void refreshOne(int bank) {
    if (row[bank] != CLOSED) {
      close(bank, refreshAt);
    }
    told(REFRESH, bank, Math.max(refreshAt, earliest(REFRESH, bank)));
  }

  /** A command goes: what must wait for it does. */
  private void told(int command, int bank, long when) {
    long[] times = last[command];
    times[lastAt[command]] = when;
    lastAt[command] = lastAt[command] + 1 == times.length ? 0 : lastAt[command] + 1;
    for (Rule rule : rules.after[command]) {
      int to = rule.to();
      switch (rule.within()) {
        case BANK -> later(inBank, to * banks + bank, when + rule.cycles());
        case GROUP -> later(inGroup, to * groups + bank % groups, when + rule.cycles());
        case CHANNEL -> {
          // The ring is as long as the longest window of the command.
          int back = lastAt[command] - rule.window();
          long since = rule.window() == 1 ? when : times[back < 0 ? back + times.length : back];
          later(inChannel, to, since + rule.cycles());
        }
      }
    }
  }

  private static void later(long[] times, int i, long when) {
    if (when > times[i]) {
      times[i] = when;
    }
  }
}
