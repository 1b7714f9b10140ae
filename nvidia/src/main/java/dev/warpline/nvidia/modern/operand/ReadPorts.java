package dev.warpline.nvidia.modern.operand;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.code.BankReads;
import dev.warpline.nvidia.modern.code.CodeRow;
import java.util.Arrays;

/**
 * The read ports of a sub-core's register banks. A fixed-latency instruction passes the Allocate
 * stage when its banks have room in the read window behind it; the register-file cache spares
 * reads. An instruction of variable latency leaves its queue when every bank has a port left for
 * it: those that fixed-latency instructions reserved before are theirs.
 */
public final class ReadPorts {
  /** Cycles that reservations reach ahead, at most. */
  private static final int AHEAD = Long.SIZE;

  private final ModernCoreSpec.Issue spec;
  private final int ports;
  private final int window;
  private final int toAllocate;
  private final boolean cached;

  /** The two banks that there nearly always are, handled without a loop, and others. */
  private final Bank even = new Bank();

  private final Bank odd = new Bank();
  private final Bank[] more;

  /** The cycle from which reservations are counted. */
  private long base;

  /** When the last and the last but one instruction passed Allocate. */
  private long allocated;

  private long allocatedBefore;

  @Counter(value = "held in Allocate for register ports", unit = "cycles")
  long portStalls;

  @Counter("register reads spared by reuse")
  long reuseHits;

  @Counter("variable-latency instructions that waited for a read port")
  long queueWaits;

  private final class Bank {
    /** Bit i says that the port is taken i cycles after {@link #base}. */
    long taken;

    /** What its part of the register-file cache keeps. */
    long kept;

    int need;

    void clear() {
      taken = 0;
      kept = BankReads.NOTHING;
    }

    /** Notes how many cycles of its ports an instruction needs: what is kept is not read. */
    void ask(BankReads reads, long tags, boolean looks) {
      if (looks) {
        long hits = reads.hits(kept, tags);
        reuseHits += Long.bitCount(hits);
        kept = reads.keep(kept, tags);
        need = cycles(reads.left(hits));
      } else {
        need = cycles(reads.reads);
      }
    }

    /** Whether it has them in the window from a bit on; more than the window has stretch it. */
    boolean fits(int from) {
      long cycles = (1L << Math.max(window, need)) - 1;
      return Long.bitCount(~(taken >>> from) & cycles) >= need;
    }

    /** The first free ones from a bit on are taken. */
    void take(int from) {
      long free = ~(taken >>> from);
      for (int left = need; left > 0; left--) {
        taken |= (free & -free) << from;
        free &= free - 1;
      }
    }
  }

  public ReadPorts(ModernCoreSpec.Issue spec) {
    this.spec = spec;
    ports = spec.readPorts();
    window = spec.readWindow();
    toAllocate = spec.toAllocate();
    cached = spec.registerCache();
    more = new Bank[Math.max(0, spec.banks() - CodeRow.PAIR)];
    Arrays.setAll(more, bank -> new Bank());
    startKernel();
  }

  public void startKernel() {
    even.clear();
    odd.clear();
    for (Bank bank : more) {
      bank.clear();
    }
    base = 0;
    allocated = -1;
    allocatedBefore = -1;
  }

  /** Earliest cycle of the next issue: Control holds one instruction, Allocate another. */
  public long issueFree() {
    return allocatedBefore;
  }

  /** When the last instruction passed Allocate. */
  public long allocated() {
    return allocated;
  }

  /** An instruction that does not read registers in the fixed window passes Control only. */
  public void passControl() {
    allocatedBefore = allocated;
  }

  /** A fixed-latency instruction issues. */
  public void issue(CodeRow row, int warp, long now) {
    long pass = Math.max(now + toAllocate, allocated + 1);
    allocatedBefore = allocated;
    allocated = row.readsInWindow ? reserve(row, warp, pass, now) : pass;
  }

  /** Takes ports in the window behind the first cycle in which all are to be had; returns that. */
  private long reserve(CodeRow row, int warp, long enter, long now) {
    boolean looks = cached && (row.reuse != 0 || keepsAny());
    long tags = BankReads.tags(warp);
    even.ask(row.evenReads, tags, looks);
    odd.ask(row.oddReads, tags, looks);
    for (int b = 0; b < more.length; b++) {
      more[b].ask(row.readsOf(CodeRow.PAIR + b), tags, looks);
    }
    advance(now);
    long pass = enter;
    int from = ahead(pass + 1);
    while (!fits(from)) {
      from = ahead(++pass + 1);
    }
    even.take(from);
    odd.take(from);
    for (Bank bank : more) {
      bank.take(from);
    }
    portStalls += pass - enter;
    return pass;
  }

  private boolean keepsAny() {
    long kept = even.kept & odd.kept;
    for (Bank bank : more) {
      kept &= bank.kept;
    }
    return kept != BankReads.NOTHING;
  }

  private boolean fits(int from) {
    boolean fits = even.fits(from) && odd.fits(from);
    for (Bank bank : more) {
      fits &= bank.fits(from);
    }
    return fits;
  }

  /** Cycles of a bank's ports for a number of reads. */
  private int cycles(int reads) {
    return ports == 1 ? reads : (reads + ports - 1) / ports;
  }

  /** Forgets cycles that are over. */
  private void advance(long now) {
    long over = now - base;
    if (over > 0) {
      base = now;
      even.taken = over < AHEAD ? even.taken >>> over : 0;
      odd.taken = over < AHEAD ? odd.taken >>> over : 0;
      for (Bank bank : more) {
        bank.taken = over < AHEAD ? bank.taken >>> over : 0;
      }
    }
  }

  /** A cycle as a bit of {@link Bank#taken}; far ahead nothing is reserved. */
  private int ahead(long cycle) {
    return (int) Math.min(AHEAD - 1, cycle - base);
  }

  /**
   * An instruction of variable latency wants to leave its queue at a cycle.
   *
   * @param now the present, from which reservations reach ahead
   * @return when it does
   */
  public long leaveQueue(long wanted, long now) {
    if (!spec.queuesUsePorts() || ports > 1) {
      return wanted;
    }
    advance(now);
    int from = ahead(wanted + 1);
    long busy = even.taken | odd.taken;
    for (Bank bank : more) {
      busy |= bank.taken;
    }
    int waits = Long.numberOfTrailingZeros(~(busy >>> from));
    // Far ahead nothing is reserved.
    long leaves = from + waits < AHEAD ? 1L << from + waits : 0;
    even.taken |= leaves;
    odd.taken |= leaves;
    for (Bank bank : more) {
      bank.taken |= leaves;
    }
    queueWaits += waits > 0 ? 1 : 0;
    return wanted + waits;
  }
}
