package dev.warpline.isa;

/**
 * Where in the constant banks an instruction reads: {@code c[bank][register + offset]}.
 *
 * @param bank number of the bank, {@link #UNKNOWN_BANK} where a register says it
 * @param register register that is added (regular or uniform), {@link Registers#NONE} if none is
 * @param offset bytes
 */
public record ConstantOperand(int bank, int register, int offset) {
  /** The bank of {@code cx[UR4][0x10]}. */
  public static final int UNKNOWN_BANK = -1;

  /** What is known of an instruction that reads no constant. */
  public static final ConstantOperand NONE = new ConstantOperand(0, Registers.NONE, 0);

  /** Whether a constant is read at all. */
  public boolean isRead() {
    return this != NONE;
  }

  /** Whether the place is a matter of the code alone. */
  public boolean isFixed() {
    return isRead() && register == Registers.NONE && bank != UNKNOWN_BANK;
  }

  /** Whether each lane has a place of its own. */
  public boolean isIndexedByLane() {
    return isRead() && Registers.isRegular(register);
  }
}
