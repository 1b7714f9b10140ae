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
  private static final int AHEAD = 256;

  private final ModernCoreSpec.Issue spec;
  private final int banks;

  /** Where the number of banks is a power of two: that minus one, else -1. */
  private final int bankMask;

  private final int[] need;

  // By bank and cycle: the cycle that an entry is about, and the reads in it.
  private final long[] cycle;
  private final byte[] reads;

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
    bankMask = Integer.bitCount(banks) == 1 ? banks - 1 : -1;
    need = new int[banks];
    cycle = new long[banks * AHEAD];
    reads = new byte[banks * AHEAD];
    kept = new int[banks * POSITIONS];
    startKernel();
  }

  public void startKernel() {
    Arrays.fill(cycle, 0);
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
    long enter = Math.max(now + 2, allocated + 1);
    long pass = enter;
    for (int b = 0; b < banks; b++) {
      if (need[b] > 0) {
        pass = passes(b, pass);
      }
    }
    for (int b = 0; b < banks; b++) {
      if (need[b] > 0) {
        take(b, pass);
      }
    }
    portStalls += pass - enter;
    allocatedBefore = allocated;
    allocated = pass;
  }

  /** When Allocate lets an instruction pass as far as one bank is concerned. */
  private long passes(int bank, long from) {
    int ports = spec.readPorts();
    // Operands wider than the window stretch it.
    int window = Math.max(spec.readWindow(), (need[bank] + ports - 1) / ports);
    for (long pass = from; ; pass++) {
      int room = 0;
      for (int i = 1; i <= window; i++) {
        room += ports - taken(bank, pass + i);
      }
      if (room >= need[bank]) {
        return pass;
      }
    }
  }

  private void take(int bank, long pass) {
    int left = need[bank];
    for (long at = pass + 1; left > 0; at++) {
      int free = spec.readPorts() - taken(bank, at);
      if (free > 0) {
        int more = Math.min(free, left);
        add(bank, at, more);
        left -= more;
      }
    }
  }

  private int taken(int bank, long at) {
    int i = bank * AHEAD + (int) (at & AHEAD - 1);
    return cycle[i] == at ? reads[i] : 0;
  }

  private void add(int bank, long at, int more) {
    int i = bank * AHEAD + (int) (at & AHEAD - 1);
    reads[i] = (byte) ((cycle[i] == at ? reads[i] : 0) + more);
    cycle[i] = at;
  }

  /**
   * An instruction of variable latency wants to leave its queue at a cycle.
   *
   * @param now the present, from which reservations reach ahead
   * @return when it does
   */
  public long leaveQueue(long wanted, long now) {
    if (!spec.queuesUsePorts() || wanted + 1 >= now + AHEAD / 2) {
      return wanted;
    }
    long at = wanted;
    while (!everyBankHasRoom(at + 1)) {
      at++;
    }
    for (int b = 0; b < banks; b++) {
      add(b, at + 1, 1);
    }
    queueWaits += at > wanted ? 1 : 0;
    return at;
  }

  private boolean everyBankHasRoom(long at) {
    for (int b = 0; b < banks; b++) {
      if (taken(b, at) >= spec.readPorts()) {
        return false;
      }
    }
    return true;
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
