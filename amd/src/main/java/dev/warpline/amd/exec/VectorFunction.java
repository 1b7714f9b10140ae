package dev.warpline.amd.exec;

/**
 * What a vector opcode computes per lane, apart from where operands come from and results go.
 *
 * @param result type of the vector result; {@link OperandType#NONE} if only a lane mask is produced
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
    OperandType result,
    OperandType[] sources,
    LaneLoop loop,
    LaneLoop saturating,
    Rounding.Exact exact,
    LaneMask mask,
    boolean keepsHighHalf) {}
