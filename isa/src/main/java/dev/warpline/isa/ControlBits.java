package dev.warpline.isa;

/**
 * The 21 control bits that the compiler writes into every Volta-or-later instruction, packed as
 * they stand in the second instruction word: {@code control = (int) (hi >>> 41)}.
 *
 * <p>Static functions over an int, so that a code table holds them without an object per row.
 */
public final class ControlBits {
  /** Stands for "this kernel has no control bits". */
  public static final int ABSENT = -1;

  /** Value of a write or read barrier field that names no dependence counter. */
  public static final int NO_BARRIER = 7;

  private ControlBits() {}

  /** Control bits of an instruction from the high 64-bit word of its encoding. */
  public static int fromHighWord(long hi) {
    return (int) (hi >>> 41) & 0x1f_ffff;
  }

  /**
   * Control bits from their fields; {@code yields} is the logical meaning, not the inverted bit.
   */
  public static int of(
      int stall, boolean yields, int writeBarrier, int readBarrier, int waitMask, int reuse) {
    return stall
        | (yields ? 0 : 1 << 4)
        | writeBarrier << 5
        | readBarrier << 8
        | waitMask << 11
        | reuse << 17;
  }

  /** Cycles before the warp's next instruction may issue (0 to 15). */
  public static int stall(int control) {
    return control & 15;
  }

  /** Whether the scheduler should leave this warp for a cycle (the bit itself is inverted). */
  public static boolean yields(int control) {
    return (control >>> 4 & 1) == 0;
  }

  /** Dependence counter decremented at write-back, or {@link #NO_BARRIER}. */
  public static int writeBarrier(int control) {
    return control >>> 5 & 7;
  }

  /** Dependence counter decremented when the sources were read, or {@link #NO_BARRIER}. */
  public static int readBarrier(int control) {
    return control >>> 8 & 7;
  }

  /** Bit i set: wait until dependence counter i is zero. */
  public static int waitMask(int control) {
    return control >>> 11 & 63;
  }

  /** Bits 0, 1, 2: keep operand A, B, C in the register-file cache. */
  public static int reuse(int control) {
    return control >>> 17 & 15;
  }
}
