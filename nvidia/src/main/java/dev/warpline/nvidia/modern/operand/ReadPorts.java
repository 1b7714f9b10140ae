package dev.warpline.nvidia.modern.operand;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.code.CodeRows;
import java.util.Arrays;

/**
 * The read ports of a sub-core's register banks. A fixed-latency instruction passes the Allocate
 * stage when its banks have room in the read window behind it; the register-file cache spares
 * reads. An instruction of variable latency leaves its queue when every bank has a port left for
 * it: those that fixed-latency instructions reserved before are theirs.
 */
public final class ReadPorts {
  private static final int POSITIONS = 3;

  /** Cycles that reservations reach ahead, at most. */
  private static final int AHEAD = Long.SIZE;

  private final ModernCoreSpec.Issue spec;
  private final int banks;
  private final int ports;

  /** Where the number of banks is a power of two: that minus one, else -1. */
  private final int bankMask;

  private final int[] need;

  /** By bank: bit i says that the port is taken i cycles after {@link #base}. */
  private final long[] taken;

  private long base;

  /** Register kept per bank and position: warp * 256 + register, -1 if none. */
  private final int[] kept;

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
    bankMask = Integer.bitCount(banks) == 1 ? banks - 1 : -1;
    need = new int[banks];
    taken = new long[banks];
    kept = new int[banks * POSITIONS];
    startKernel();
  }

  public void startKernel() {
    Arrays.fill(taken, 0);
    base = 0;
    Arrays.fill(kept, -1);
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
  public void issue(CodeRows code, int row, int warp, long now) {
    for (int b = 0; b < banks; b++) {
      need[b] = 0;
    }
    int reuse = spec.registerCache() ? code.reuse[row] : 0;
    for (int position = 0; position < POSITIONS; position++) {
      int register = code.operands[4 * row + position];
      if (register < 0) {
        continue;
      }
      int words = code.operandWords[4 * row + position];
      for (int k = 0; k < words; k++) {
        read(code, row, position, register + k, warp, (reuse >>> position & 1) != 0);
      }
    }
    advance(now);
    long enter = Math.max(now + 2, allocated + 1);
    long pass = enter;
    while (!fits(pass)) {
      pass++;
    }
    for (int b = 0; b < banks; b++) {
      take(b, pass + 1);
    }
    portStalls += pass - enter;
    allocatedBefore = allocated;
    allocated = pass;
  }

  /** Forgets cycles that are over. */
  private void advance(long now) {
    long over = now - base;
    if (over > 0) {
      for (int b = 0; b < banks; b++) {
        taken[b] = over < AHEAD ? taken[b] >>> over : 0;
      }
      base = now;
    }
  }

  /** Cycles of a bank's ports that the operands of the instruction need. */
  private int slots(int bank) {
    return ports == 1 ? need[bank] : (need[bank] + ports - 1) / ports;
  }

  /** Whether all banks have room in the window behind a cycle. */
  private boolean fits(long pass) {
    int from = (int) Math.min(AHEAD - 1, pass + 1 - base);
    for (int b = 0; b < banks; b++) {
      int slots = slots(b);
      if (slots > 0) {
        // Operands wider than the window stretch it.
        long window = (1L << Math.max(spec.readWindow(), slots)) - 1;
        if (Long.bitCount(~(taken[b] >>> from) & window) < slots) {
          return false;
        }
      }
    }
    return true;
  }

  /** Takes the first free cycles of a bank from one on. */
  private void take(int bank, long first) {
    int from = (int) Math.min(AHEAD - 1, first - base);
    for (int left = slots(bank); left > 0; left--) {
      taken[bank] |= Long.lowestOneBit(~(taken[bank] >>> from)) << from;
    }
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
    int from = (int) Math.min(AHEAD - 1, wanted + 1 - base);
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

  private void read(CodeRows code, int row, int position, int register, int warp, boolean keep) {
    int bank = bankMask >= 0 ? register & bankMask : register % banks;
    int slot = bank * POSITIONS + position;
    int tag = warp << 8 | register;
    boolean hit = kept[slot] == tag;
    kept[slot] = keep ? tag : -1;
    if (hit) {
      reuseHits++;
      return;
    }
    // The same register in an earlier position is read once.
    for (int p = 0; p < position; p++) {
      int other = code.operands[4 * row + p];
      if (other >= 0 && register >= other && register < other + code.operandWords[4 * row + p]) {
        return;
      }
    }
    need[bank]++;
  }
}
