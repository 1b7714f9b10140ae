package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;

/**
 * Instructions that take the way of a load without touching memory: LDS permutations and the
 * clocks. The result is computed when they are executed and written back like loaded data.
 */
final class LaneExchange extends Operation implements MemoryAccess.Transfer {
  private enum Kind {
    PULL,
    PUSH,
    SWIZZLE,
    CLOCK,
    REAL_TIME
  }

  private final Kind kind;

  LaneExchange(GcnInstruction i) {
    super(i);
    kind =
        switch (i.opcode.mnemonic()) {
          case "ds_bpermute_b32" -> Kind.PULL;
          case "ds_permute_b32" -> Kind.PUSH;
          case "ds_swizzle_b32" -> Kind.SWIZZLE;
          case "s_memrealtime" -> Kind.REAL_TIME;
          default -> Kind.CLOCK;
        };
  }

  static boolean handles(String mnemonic) {
    return switch (mnemonic) {
      case "ds_bpermute_b32", "ds_permute_b32", "ds_swizzle_b32", "s_memtime", "s_memrealtime" ->
          true;
      default -> false;
    };
  }

  @Override
  public boolean isAccess() {
    return true;
  }

  @Override
  void run(WaveState w, Lanes x, MemoryAccess m) {
    m.transfer = this;
    m.instruction = instruction;
    m.wave = w;
    m.pc = w.pc - instruction.size;
    m.lanes = 0;
    m.ldsLanes = 0;
    m.scratchLanes = 0;
    m.bytes = 0;
    m.elements = 0;
    m.enabled = w.exec();
    switch (kind) {
      case PULL -> pull(w, m);
      case PUSH -> push(w, m);
      case SWIZZLE -> swizzle(w, m);
      case CLOCK, REAL_TIME -> {
        long time = kind == Kind.REAL_TIME ? w.realTime : w.clock;
        m.data[0] = (int) time;
        m.data[1] = (int) (time >>> 32);
      }
    }
  }

  private void pull(WaveState w, MemoryAccess m) {
    int addresses = VectorSource.register(w, instruction.src0) * 64;
    int values = VectorSource.register(w, instruction.src1) * 64;
    for (int lane = 0; lane < 64; lane++) {
      int from = w.vgpr[addresses + lane] + instruction.offset >> 2 & 63;
      m.data[lane] = (m.enabled >>> from & 1) != 0 ? w.vgpr[values + from] : 0;
    }
  }

  private void push(WaveState w, MemoryAccess m) {
    int addresses = VectorSource.register(w, instruction.src0) * 64;
    int values = VectorSource.register(w, instruction.src1) * 64;
    java.util.Arrays.fill(m.data, 0, 64, 0);
    for (int lane = 0; lane < 64; lane++) {
      if ((m.enabled >>> lane & 1) != 0) {
        m.data[w.vgpr[addresses + lane] + instruction.offset >> 2 & 63] = w.vgpr[values + lane];
      }
    }
  }

  private void swizzle(WaveState w, MemoryAccess m) {
    int values = VectorSource.register(w, instruction.src0) * 64;
    for (int lane = 0; lane < 64; lane++) {
      int from = swizzleSource(instruction.offset, lane);
      m.data[lane] = (m.enabled >>> from & 1) != 0 ? w.vgpr[values + from] : 0;
    }
  }

  /**
   * Offset patterns: bit masks within 32 lanes, quad permutation (bit 15), rotation (0xc000), FFT
   * order (0xe000).
   */
  static int swizzleSource(int pattern, int lane) {
    int half = lane & 32;
    int mask = pattern & 31;
    if (pattern >= 0xe000) {
      int reversed = Integer.reverse(lane & 31) >>> 27;
      return half | reversed >>> Integer.bitCount(mask) | lane & mask;
    }
    if (pattern >= 0xc000) {
      int amount = pattern >> 5 & 31;
      int moved = (pattern >> 10 & 1) != 0 ? lane - amount : lane + amount;
      return half | (lane & mask | moved & ~mask) & 31;
    }
    if (pattern >= 0x8000) {
      return lane & ~3 | pattern >> 2 * (lane & 3) & 3;
    }
    return half | (lane & 31 & mask | pattern >> 5 & 31) ^ pattern >> 10 & 31;
  }

  @Override
  public boolean returnsData() {
    return true;
  }

  @Override
  public void perform(MemoryAccess m, DeviceMemory memory) {
    // the result was computed when the instruction was executed
  }

  @Override
  public void writeBack(MemoryAccess m) {
    if (kind == Kind.CLOCK || kind == Kind.REAL_TIME) {
      m.wave.sgpr[instruction.sdst] = m.data[0];
      m.wave.sgpr[instruction.sdst + 1] = m.data[1];
    } else {
      VgprWriter.store(
          m.wave.vgpr, VectorSource.register(m.wave, instruction.vdst) * 64, m.data, m.enabled);
    }
  }
}
