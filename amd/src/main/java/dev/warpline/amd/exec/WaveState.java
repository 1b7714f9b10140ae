package dev.warpline.amd.exec;

/**
 * Architectural state of one wavefront of 64 lanes: plain arrays, so that it can be saved and
 * compared. Timing state (counters of waiting instructions, buffers) lives elsewhere.
 */
public final class WaveState {
  public static final int LANES = 64;

  /** Scalar operand codes of the special registers that live in {@link #sgpr}. */
  public static final int FLAT_SCRATCH = 102;

  public static final int VCC = 106;
  public static final int M0 = 124;
  public static final int EXEC = 126;

  /** A bit of the MODE register. */
  static final int MODE_DX10_CLAMP = 1 << 8;

  /**
   * All scalar registers by their operand code: s0-s101, flat_scratch, xnack_mask, vcc, ttmp, m0,
   * exec.
   */
  public final int[] sgpr = new int[128];

  /**
   * Vector registers, {@code register * 64 + lane}; the accumulation registers follow at {@link
   * #accBase}.
   */
  public final int[] vgpr;

  /** Index of the first accumulation register in {@link #vgpr}. */
  public final int accBase;

  public final GroupState group;

  /** Number of the wave in its group, and in the dispatch (for messages and HW_ID). */
  public final int indexInGroup;

  public boolean scc;
  public int mode;
  public long pc;

  /**
   * VGPR relative addressing (s_set_gpr_idx_on): which operands it applies to; 0 = off. The index
   * is M0[7:0].
   */
  public int gprIndexMode;

  /** What s_memtime reads; whoever runs the wave keeps it going. */
  public long clock;

  /** What s_memrealtime reads: ticks of 100 MHz, whatever the core's clock is. */
  public long realTime;

  /** Set by s_endpgm. */
  public boolean ended;

  /** Set by s_barrier; whoever releases the barrier clears it. */
  public boolean atBarrier;

  public WaveState(int vectorRegisters, int accBase, GroupState group, int indexInGroup) {
    this.vgpr = new int[vectorRegisters * LANES];
    this.accBase = accBase;
    this.group = group;
    this.indexInGroup = indexInGroup;
  }

  public long exec() {
    return pair(EXEC);
  }

  public void setExec(long mask) {
    setPair(EXEC, mask);
  }

  public long vcc() {
    return pair(VCC);
  }

  public void setVcc(long mask) {
    setPair(VCC, mask);
  }

  public int m0() {
    return sgpr[M0];
  }

  /** 64-bit value of two consecutive scalar registers. */
  public long pair(int code) {
    return (sgpr[code] & 0xffffffffL) | (long) sgpr[code + 1] << 32;
  }

  public void setPair(int code, long value) {
    sgpr[code] = (int) value;
    sgpr[code + 1] = (int) (value >>> 32);
  }

  public int vector(int register, int lane) {
    return vgpr[register * LANES + lane];
  }

  public void setVector(int register, int lane, int value) {
    vgpr[register * LANES + lane] = value;
  }
}
