package dev.warpline.amd.exec;

/**
 * What a vector opcode computes per lane, apart from where operands come from and results go.
 *
 * @param result type of the vector result; {@link Type#NONE} if only a lane mask is produced
 * @param sources types of the vector sources, at most three
 * @param loop the arithmetic
 * @param saturating the arithmetic under the clamp bit, for integers; null if there is none
 * @param exact exact value, for rounding modes other than nearest; null if the operation does not
 *     round
 * @param mask lane masks read and produced
 * @param keepsHighHalf a 16-bit result leaves the upper half of the register as it was instead of
 *     clearing it
 */
record VectorFunction(
    Type result,
    Type[] sources,
    LaneLoop loop,
    LaneLoop saturating,
    Rounding.Exact exact,
    Mask mask,
    boolean keepsHighHalf) {

  /** Operand types. B is bits: no conversion, no sign. */
  enum Type {
    NONE(0, false),
    /** 16 bits, sign-extended for the arithmetic. */
    I16(16, false),
    /** 16 bits, zero-extended. */
    U16(16, false),
    F16(16, true),
    B32(32, false),
    F32(32, true),
    B64(64, false),
    /** As B64, but a 32-bit literal is sign-extended. */
    I64(64, false),
    F64(64, true);

    final int bits;
    final boolean isFloat;

    Type(int bits, boolean isFloat) {
      this.bits = bits;
      this.isFloat = isFloat;
    }

    boolean isWide() {
      return bits == 64;
    }
  }

  /**
   * Lane masks: none, produced (compare, carry out), read from the third source or from VCC, or
   * both.
   */
  enum Mask {
    NONE,
    OUT,
    IN_SOURCE2,
    IN_SOURCE2_OUT,
    IN_VCC;

    boolean isOut() {
      return this == OUT || this == IN_SOURCE2_OUT;
    }

    boolean isSource2() {
      return this == IN_SOURCE2 || this == IN_SOURCE2_OUT;
    }
  }
}
