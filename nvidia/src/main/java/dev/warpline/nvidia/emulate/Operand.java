package dev.warpline.nvidia.emulate;

import dev.warpline.isa.Registers;
import dev.warpline.isa.SassOperand;
import dev.warpline.isa.SassOperand.Kind;

/**
 * One operand of an instruction in the terms of a {@link Warp}: {@link SassOperand} with rows of
 * its registers, RZ and URZ in place of registers that are absent.
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

  static Operand of(SassOperand listed) {
    int register = listed.register();
    int index =
        switch (listed.kind()) {
          case PREDICATE -> Warp.predicate(register);
          case BARRIER -> register - Registers.B;
          case CONSTANT ->
              register == Registers.NONE || register == Registers.RZ ? Warp.UNIFORM_ZERO : register;
          case MEMORY -> register == Registers.NONE ? Warp.ZERO : register;
          default -> Math.max(0, register);
        };
    int second =
        switch (listed.kind()) {
          case CONSTANT -> listed.bank();
          case MEMORY -> listed.uniform() == Registers.NONE ? Warp.UNIFORM_ZERO : listed.uniform();
          default -> 0;
        };
    return new Operand(
        listed.kind(),
        index,
        second,
        listed.is(Kind.IMMEDIATE) && !listed.integer() ? 0 : listed.value(),
        listed.text(),
        listed.negative(),
        listed.absolute(),
        listed.inverted(),
        listed.selector());
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
