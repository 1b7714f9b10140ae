package dev.warpline.nvidia.modern.operand;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.code.CodeRow;
import java.util.Arrays;

/**
 * The read ports of a sub-core's register banks. A fixed-latency instruction passes the Allocate
 * stage when its banks have room in the read window behind it; the register-file cache spares
 * reads. An instruction of variable latency leaves its queue when every bank has a port left for
 * it: those that fixed-latency instructions reserved before are theirs.
 */
public final class ReadPorts {
  /** Banks that there nearly always are: handled without loops, since all instructions read. */
  private static final int PAIR = 2;

  /** Cycles that reservations reach ahead, at most. */
  private static final int AHEAD = Long.SIZE;

  private final ModernCoreSpec.Issue spec;
  private final int banks;
  private final int ports;
  private final int window;
  private final int toAllocate;
  private final boolean cached;

  /** By bank: bit i says that the port is taken i cycles after {@link #base}. */
  private final long[] taken;

  private long base;

  /** Register kept per bank and position: warp * 256 + register, -1 if none. */
  private final int[] kept;

  /** How many are kept. */
  private int keeps;

  /** When the last and the last but one instruction passed Allocate. */
  private long allocated;

  private long allocatedBefore;

  @Counter(value = "held in Allocate for register ports", unit = "cycles")
  long portStalls;

  @Counter("register reads spared by reuse")
  long reuseHits;

  @Counter("variable-latency instructions that waited for a read port")
  long queueWaits;

  public ReadPorts(ModernCoreSpec.Issue spec) {
    this.spec = spec;
    banks = spec.banks();
    ports = spec.readPorts();
    window = spec.readWindow();
    toAllocate = spec.toAllocate();
    cached = spec.registerCache();
    taken = new long[Math.max(PAIR, banks)];
    kept = new int[banks * CodeRow.READ_IN_WINDOW];
    startKernel();
  }

  public void startKernel() {
    Arrays.fill(taken, 0);
    base = 0;
    Arrays.fill(kept, -1);
    keeps = 0;
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
    boolean plain = !cached || keeps == 0 && row.reuse == 0;
    long need = plain ? row.bankReads : readsLeft(row, warp);
    long enter = Math.max(now + toAllocate, allocated + 1);
    long pass = enter;
    if (need != 0) {
      advance(now);
      while (!fits(need, ahead(pass + 1))) {
        pass++;
      }
      int from = ahead(pass + 1);
      taken[0] = take(taken[0], slots(need), from);
      taken[1] = take(taken[1], slots(need >>> 8), from);
      for (int b = PAIR; b < banks; b++) {
        taken[b] = take(taken[b], slots(need >>> 8 * b), from);
      }
      portStalls += pass - enter;
    }
    allocatedBefore = allocated;
    allocated = pass;
  }

  /** Forgets cycles that are over. */
  private void advance(long now) {
    long over = now - base;
    if (over > 0) {
      base = now;
      if (over >= AHEAD) {
        Arrays.fill(taken, 0);
        return;
      }
      taken[0] >>>= over;
      taken[1] >>>= over;
      for (int b = PAIR; b < banks; b++) {
        taken[b] >>>= over;
      }
    }
  }

  /** A cycle as a bit of {@link #taken}; far ahead nothing is reserved. */
  private int ahead(long cycle) {
    return (int) Math.min(AHEAD - 1, cycle - base);
  }

  /** Cycles of a bank's ports that operands need; their number is in the lowest bits. */
  private int slots(long need) {
    int reads = (int) need & 0xff;
    return ports == 1 ? reads : (reads + ports - 1) / ports;
  }

  /** Whether all banks have room in the window from a bit on. */
  private boolean fits(long need, int from) {
    boolean fits = fits(taken[0], slots(need), from) && fits(taken[1], slots(need >>> 8), from);
    for (int b = PAIR; b < banks; b++) {
      fits &= fits(taken[b], slots(need >>> 8 * b), from);
    }
    return fits;
  }

  /** Whether a bank has; operands wider than the window stretch it. */
  private boolean fits(long bank, int slots, int from) {
    long cycles = (1L << Math.max(window, slots)) - 1;
    return Long.bitCount(~(bank >>> from) & cycles) >= slots;
  }

  /** A bank of which the first free cycles from one on are taken, too. */
  private static long take(long bank, int slots, int from) {
    for (int left = slots; left > 0; left--) {
      bank |= Long.lowestOneBit(~(bank >>> from)) << from;
    }
    return bank;
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
    long busy = 0;
    for (int b = 0; b < banks; b++) {
      busy |= taken[b] >>> from;
    }
    int waits = Long.numberOfTrailingZeros(~busy);
    for (int b = 0; b < banks; b++) {
      // Far ahead nothing is reserved.
      taken[b] |= from + waits < AHEAD ? 1L << from + waits : 0;
    }
    queueWaits += waits > 0 ? 1 : 0;
    return wanted + waits;
  }

  /** Reads by bank that the register-file cache leaves, eight bits for each. */
  private long readsLeft(CodeRow row, int warp) {
    long need = 0;
    for (int read : row.portReads) {
      int place = CodeRow.readPlace(read);
      int tag = warp << 8 | CodeRow.readRegister(read);
      int before = kept[place];
      keeps -= before >= 0 ? 1 : 0;
      if (CodeRow.readIsKept(read)) {
        kept[place] = tag;
        keeps++;
      } else {
        kept[place] = -1;
      }
      if (before == tag) {
        reuseHits++;
      } else {
        need += CodeRow.readCount(read);
      }
    }
    return need;
  }
}
