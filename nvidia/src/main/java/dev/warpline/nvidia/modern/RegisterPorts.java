package dev.warpline.nvidia.modern;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.code.CodeRows;

/**
 * Register reads of a sub-core's fixed-latency instructions: an Allocate stage that lets an
 * instruction pass when its banks have room in the read window, and the register-file cache that
 * spares reads.
 */
final class RegisterPorts {
  private static final int POSITIONS = 3;

  private final ModernCoreSpec.Issue spec;
  private final long[] portFree;
  private final int[] need;

  /** Where the number of banks is a power of two: that minus one, else -1. */
  private final int bankMask;

  /** Register kept per bank and position: warp * 256 + register, -1 if none. */
  private final int[] kept;

  /** When the last and the last but one instruction passed Allocate. */
  private long allocated = -1;

  private long allocatedBefore = -1;

  @Counter(value = "held in Allocate for register ports", unit = "cycles")
  long portStalls;

  @Counter("register reads spared by reuse")
  long reuseHits;

  RegisterPorts(ModernCoreSpec.Issue spec) {
    this.spec = spec;
    portFree = new long[spec.banks()];
    need = new int[spec.banks()];
    bankMask = Integer.bitCount(spec.banks()) == 1 ? spec.banks() - 1 : -1;
    kept = new int[spec.banks() * POSITIONS];
    reset();
  }

  void reset() {
    java.util.Arrays.fill(portFree, 0);
    java.util.Arrays.fill(kept, -1);
    allocated = -1;
    allocatedBefore = -1;
    portStalls = 0;
    reuseHits = 0;
  }

  /** Earliest cycle of the next issue: Control holds one instruction, Allocate another. */
  long issueFree() {
    return allocatedBefore;
  }

  /** An instruction that does not read registers in the fixed window passes Control only. */
  void passControl() {
    allocatedBefore = allocated;
  }

  /** A fixed-latency instruction issues. */
  void issue(CodeRows code, int row, int warp, long now) {
    int banks = spec.banks();
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
    int ports = spec.readPorts();
    int window = spec.readWindow();
    for (int b = 0; b < banks; b++) {
      int slots = (need[b] + ports - 1) / ports;
      if (slots > 0) {
        // Operands wider than the window stretch it.
        int room = Math.max(window, slots);
        pass = Math.max(pass, portFree[b] + slots - 1 - room);
      }
    }
    for (int b = 0; b < banks; b++) {
      int slots = (need[b] + ports - 1) / ports;
      if (slots > 0) {
        portFree[b] = Math.max(portFree[b], pass + 1) + slots;
      }
    }
    portStalls += pass - enter;
    allocatedBefore = allocated;
    allocated = pass;
  }

  private void read(CodeRows code, int row, int position, int register, int warp, boolean keep) {
    int bank = bankMask >= 0 ? register & bankMask : register % spec.banks();
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
