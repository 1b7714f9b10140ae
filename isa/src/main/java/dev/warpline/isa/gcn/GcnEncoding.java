package dev.warpline.isa.gcn;

import java.util.ArrayList;
import java.util.List;

/**
 * One row of the opcode table: an opcode in one format.
 *
 * @param format encoding format
 * @param number opcode number in that format
 * @param targets bit set of {@link GcnTarget} ordinals
 * @param name mnemonic with encoding suffix as LLVM spells it, e.g. {@code v_add_f32_e32}
 * @param opcode what it does
 * @param operands operands in assembler order
 * @param modifiers modifiers that take effect
 */
record GcnEncoding(
    GcnFormat format,
    int number,
    int targets,
    String name,
    GcnOpcode opcode,
    List<OperandSlot> operands,
    Modifiers modifiers) {

  /** What an operand of the assembler text is. */
  enum Slot {
    VDST,
    SDST,
    SRC0,
    SRC1,
    SRC2,
    /** Vector address; becomes src0. */
    VADDR,
    /** Data of a store or atomic; becomes src1. */
    VDATA,
    /** Scalar base of GLOBAL and SCRATCH; becomes src2. */
    SADDR,
    /** Resource descriptor; becomes src2. */
    SRSRC,
    /** Scalar offset; becomes src3. */
    SOFFSET,
    /** Sampler; becomes src3. */
    SSAMP,
    OFFSET,
    SIMM16,
    TARGET,
    HWREG,
    LITERAL,
    WAITCNT,
    MESSAGE,
    GPRIDX,
    ATTR,
    PROBE
  }

  /**
   * One operand.
   *
   * @param dwords width in dwords
   * @param alsoRead a destination whose old value matters
   * @param isVcc fixed to VCC, not encoded
   */
  record OperandSlot(Slot slot, int dwords, boolean alsoRead, boolean isVcc) {
    static OperandSlot parse(String text) {
      String name = text;
      int dwords = 1;
      int colon = text.indexOf(':');
      if (colon >= 0) {
        dwords = Integer.parseInt(text.substring(colon + 1));
        name = text.substring(0, colon);
      }
      boolean isVcc = name.endsWith("=vcc");
      if (isVcc) {
        name = name.substring(0, name.length() - "=vcc".length());
        dwords = 2;
      }
      boolean alsoRead = name.endsWith("+");
      if (alsoRead) {
        name = name.substring(0, name.length() - 1);
      }
      return new OperandSlot(
          Slot.valueOf(name.toUpperCase(java.util.Locale.ROOT)), dwords, alsoRead, isVcc);
    }
  }

  static List<OperandSlot> parseOperands(String text) {
    List<OperandSlot> slots = new ArrayList<>();
    if (!text.equals("-")) {
      for (String token : text.split(" ")) {
        slots.add(OperandSlot.parse(token));
      }
    }
    return List.copyOf(slots);
  }

  OperandSlot operand(Slot slot) {
    for (OperandSlot operand : operands) {
      if (operand.slot == slot) {
        return operand;
      }
    }
    return null;
  }
}
