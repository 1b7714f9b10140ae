package dev.warpline.isa;

import dev.warpline.isa.SassOperand.Kind;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An instruction as a disassembler prints it, taken apart: {@code @!P0 LDG.E R4, desc[UR6][R2.64]}.
 *
 * @param guard predicate that guards it, {@link Registers#PT} if none does
 * @param guardInverted whether it runs where the guard is false
 * @param mnemonic opcode with all modifiers
 * @param operands in the order of the text
 */
public record Disassembly(
    int guard, boolean guardInverted, String mnemonic, List<SassOperand> operands) {
  /** What cuobjdump adds to indirect branches. */
  private static final Pattern COMMENT = Pattern.compile("\\(\\*.*?\\*\\)");

  private static final Disassembly NOTHING = new Disassembly(Registers.PT, false, "", List.of());

  /** Reads one instruction; null has no guard, mnemonic and operands. */
  public static Disassembly of(String text) {
    if (text == null) {
      return NOTHING;
    }
    String rest = COMMENT.matcher(text).replaceAll("").replace(';', ' ').strip();
    int guard = Registers.PT;
    boolean inverted = false;
    if (rest.startsWith("@")) {
      SassOperand predicate = SassOperand.of(rest.substring(1, end(rest)));
      guard = predicate.is(Kind.PREDICATE) ? predicate.register() : Registers.PT;
      inverted = predicate.inverted();
      rest = rest.substring(end(rest)).strip();
    }
    return new Disassembly(
        guard, inverted, rest.substring(0, end(rest)), SassOperand.list(rest.substring(end(rest))));
  }

  private static int end(String text) {
    int at = 0;
    while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /** The constant that is read, {@link ConstantOperand#NONE} if none is. */
  public ConstantOperand constant() {
    ConstantOperand found = ConstantOperand.NONE;
    for (SassOperand operand : operands) {
      if (operand.is(Kind.CONSTANT)) {
        int register =
            Registers.isConstant(operand.register()) ? Registers.NONE : operand.register();
        found = new ConstantOperand(operand.bank(), register, (int) operand.value());
      }
    }
    return found;
  }
}
