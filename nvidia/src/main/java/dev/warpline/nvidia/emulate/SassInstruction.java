package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.List;

/**
 * One instruction of a listing.
 *
 * @param pc offset in its kernel
 * @param text the whole instruction
 * @param guard predicate that guards it, {@link Warp#TRUE} if none
 * @param guardInverted whether it runs where the guard is false
 * @param opcode mnemonic with all modifiers
 * @param mnemonic first part of the opcode
 * @param modifiers the other parts
 */
record SassInstruction(
    int pc,
    String text,
    int guard,
    boolean guardInverted,
    String opcode,
    String mnemonic,
    List<String> modifiers,
    List<Operand> operands) {

  static final int BYTES = 16;

  boolean has(String modifier) {
    return modifiers.contains(modifier);
  }

  Operand operand(int index) {
    if (index >= operands.size()) {
      throw unsupported("operand " + (index + 1) + " is missing");
    }
    return operands.get(index);
  }

  /** The operands of a kind in order. */
  List<Operand> of(Kind kind) {
    return operands.stream().filter(operand -> operand.is(kind)).toList();
  }

  /** The first of the modifiers that is one of the given, or another value if none is. */
  String oneOf(String otherwise, String... wanted) {
    for (String modifier : modifiers) {
      for (String candidate : wanted) {
        if (candidate.equals(modifier)) {
          return modifier;
        }
      }
    }
    return otherwise;
  }

  /** Refuses modifiers whose meaning is not known here, rather than to compute something else. */
  void allow(String... known) {
    List<String> list = List.of(known);
    for (String modifier : modifiers) {
      if (!list.contains(modifier)) {
        throw unsupported("modifier ." + modifier + " is not emulated");
      }
    }
  }

  UnsupportedInstructionException unsupported(String why) {
    return new UnsupportedInstructionException(this, why);
  }
}
