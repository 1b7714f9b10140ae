package dev.warpline.isa;

/**
 * How many consecutive registers an operand covers. A trace names only the first register of a
 * group: {@code LDG.E.128 R4} writes R4 to R7.
 *
 * <p>Sources are counted in the order of the trace, which is the order of the listing: addresses
 * before data in memory instructions; A, B, C in arithmetic.
 */
public final class RegisterGroups {
  private RegisterGroups() {}

  /** Registers that the destination covers. */
  public static int destination(Instruction instruction) {
    String text = instruction.text();
    Opcode opcode = instruction.opcode();
    if (opcode.isMemory()) {
      return opcode.space() == MemorySpace.TEXTURE ? 1 : words(text);
    }
    switch (opcode.name()) {
      case "HMMA", "IMMA", "BMMA", "DMMA", "QMMA", "OMMA" -> {
        return MatrixShape.of(text).accumulator();
      }
      case "HGMMA", "QGMMA", "IGMMA", "BGMMA" -> {
        return warpgroupAccumulator(text);
      }
      case "CS2R" -> {
        return instruction.hasModifier("32") ? 1 : 2;
      }
      case "F2I" -> {
        return typeWords(text, "SU", false);
      }
      case "F2F", "I2F", "FRND" -> {
        return typeWords(text, "F", false);
      }
      case "FADD2", "FMUL2", "FFMA2" -> {
        return 2;
      }
      default -> {
        return isWide(instruction) || opcode.pipe() == Pipe.FP64 ? 2 : 1;
      }
    }
  }

  /**
   * Registers that a source covers.
   *
   * @param index place among {@link Instruction#sources}
   */
  public static int source(Instruction instruction, int index) {
    String text = instruction.text();
    Opcode opcode = instruction.opcode();
    if (opcode.isMemory()) {
      return memorySource(instruction, index);
    }
    switch (opcode.name()) {
      case "HMMA", "IMMA", "BMMA", "DMMA", "QMMA", "OMMA" -> {
        return MatrixShape.of(text).operand(index);
      }
      case "HGMMA", "QGMMA", "IGMMA", "BGMMA" -> {
        // A in registers comes before the accumulator; from shared memory there is only the latter.
        boolean a = index == 0 && instruction.sources().length > 1;
        return a ? 4 : warpgroupAccumulator(text);
      }
      case "I2F" -> {
        return typeWords(text, "SU", true);
      }
      case "F2F", "F2I", "FRND" -> {
        return typeWords(text, "F", true);
      }
      case "FADD2", "FMUL2", "FFMA2" -> {
        return 2;
      }
      default -> {
        if (isWide(instruction)) {
          return index == wideAddend(instruction) ? 2 : 1;
        }
        return opcode.pipe() == Pipe.FP64 ? 2 : 1;
      }
    }
  }

  private static int memorySource(Instruction instruction, int index) {
    Opcode opcode = instruction.opcode();
    if (opcode.name().equals("LDGSTS")) {
      // Shared address, then global address.
      return index == 1 && instruction.hasModifier("E") ? 2 : 1;
    }
    boolean longAddress =
        opcode.space() == MemorySpace.GLOBAL || opcode.space() == MemorySpace.GENERIC;
    if (index == 0) {
      return longAddress && instruction.hasModifier("E") ? 2 : 1;
    }
    return opcode.writes() ? words(instruction.text()) : 1;
  }

  private static boolean isWide(Instruction instruction) {
    return instruction.hasModifier("WIDE") || instruction.hasModifier("64");
  }

  /**
   * Which source is the 64-bit addend of an IMAD.WIDE: the third register. With two registers it is
   * the last, because the factor is then usually an immediate, unless the encoding says (bits 9 to
   * 11) that the addend is the immediate or constant.
   */
  private static int wideAddend(Instruction instruction) {
    long form = instruction.low() >>> 9 & 7;
    boolean addendIsNoRegister = form == 2 || form == 3;
    return addendIsNoRegister ? -1 : instruction.sources().length - 1;
  }

  private static int words(String text) {
    return Math.max(1, AccessWidth.bytes(text) / 4);
  }

  /** D of 64xNxK over 128 threads: N/2 registers of 32 bits, half of that packed in 16 bits. */
  private static int warpgroupAccumulator(String text) {
    int first = text.indexOf('x');
    int second = text.indexOf('x', first + 1);
    int n = first < 0 || second < 0 ? -1 : AccessWidth.number(text, first + 1, second);
    if (n <= 0) {
      return 1;
    }
    int end = AccessWidth.tokenEnd(text, second);
    return Math.max(1, text.startsWith(".F16", end) ? n / 4 : n / 2);
  }

  /** Registers of the first or last type token of a kind in a conversion's mnemonic. */
  private static int typeWords(String text, String kinds, boolean last) {
    int words = 0;
    for (int at = text.indexOf('.'); at >= 0; ) {
      int end = AccessWidth.tokenEnd(text, at + 1);
      int bits = AccessWidth.number(text, at + 2, end);
      if (bits > 0 && kinds.indexOf(text.charAt(at + 1)) >= 0 && (last || words == 0)) {
        words = bits == 64 ? 2 : 1;
      }
      at = end < text.length() ? end : -1;
    }
    return Math.max(1, words);
  }
}
