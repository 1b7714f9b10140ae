package dev.warpline.nvidia.emulate;

/**
 * One operand of an instruction, as the listing has it.
 *
 * @param kind what it is
 * @param index a register of {@link Warp}'s file, a predicate, a barrier register, or the register
 *     that indexes memory or a constant bank ({@link Warp#ZERO}: none)
 * @param second of memory: the uniform register that is added; of a constant: its bank
 * @param value offset of memory or a constant; an integer immediate
 * @param text as written, without sign and markers: numbers and names of special registers
 * @param negative a minus before it
 * @param absolute bars around it
 * @param inverted a tilde or an exclamation mark before it
 * @param selector what follows a register after a dot: {@code 64}, {@code H0_H0}, {@code X4}, or ""
 */
record Operand(
    Kind kind,
    int index,
    int second,
    long value,
    String text,
    boolean negative,
    boolean absolute,
    boolean inverted,
    String selector) {

  /** Kinds of operands. */
  enum Kind {
    REGISTER,
    PREDICATE,
    BARRIER,
    IMMEDIATE,
    CONSTANT,
    MEMORY,
    NAME
  }

  boolean is(Kind wanted) {
    return kind == wanted;
  }

  /** Whether a register or predicate is one of the uniform datapath. */
  boolean uniform() {
    return kind == Kind.REGISTER && index >= Warp.UNIFORM
        || kind == Kind.PREDICATE && index >= Warp.UNIFORM_PREDICATE;
  }

  /** Whether an immediate is written as an integer rather than as a real number. */
  boolean integer() {
    return kind == Kind.IMMEDIATE && text.startsWith("0x");
  }
}
