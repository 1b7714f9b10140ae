package dev.warpline.isa;

/** How many bytes a lane of a memory instruction moves, by its mnemonic. */
public final class AccessWidth {
  /** Width of an instruction that names none. */
  private static final int DEFAULT_BYTES = 4;

  private AccessWidth() {}

  /**
   * Accel-Sim's rule: the first token that is all digits, or {@code U} and digits, gives bits; 4
   * bytes if there is none. Wrong for signed bytes and halves, matrix loads and typed atomics, but
   * needed to agree with Accel-Sim.
   */
  public static int accelSim(String mnemonic) {
    for (int at = mnemonic.indexOf('.'); at >= 0; ) {
      int end = tokenEnd(mnemonic, at + 1);
      int from = mnemonic.startsWith("U", at + 1) ? at + 2 : at + 1;
      int bits = number(mnemonic, from, end);
      if (bits >= 0) {
        return bits / 8;
      }
      at = end < mnemonic.length() ? end : -1;
    }
    return DEFAULT_BYTES;
  }

  /**
   * What the hardware moves: signed and floating types count, packed types count all their parts,
   * and a matrix load or store moves 4 bytes per lane and matrix.
   */
  public static int bytes(String mnemonic) {
    int matrices = matrices(mnemonic);
    if (matrices > 0) {
      return 4 * matrices;
    }
    int widest = 0;
    for (int at = mnemonic.indexOf('.'); at >= 0; ) {
      int end = tokenEnd(mnemonic, at + 1);
      widest = Math.max(widest, typeBits(mnemonic, at + 1, end));
      at = end < mnemonic.length() ? end : -1;
    }
    return widest == 0 ? DEFAULT_BYTES : Math.max(1, widest / 8);
  }

  /** Matrices that an LDSM or STSM moves, 0 for any other instruction. */
  static int matrices(String mnemonic) {
    if (!mnemonic.startsWith("LDSM") && !mnemonic.startsWith("STSM")) {
      return 0;
    }
    int last = mnemonic.lastIndexOf('.');
    int count = last < 0 ? -1 : number(mnemonic, last + 1, mnemonic.length());
    return count == 2 || count == 4 ? count : 1;
  }

  /** Bits of a token such as 64, U16, S8, F64, F16x2, BF16_V2; 0 if it is no type. */
  private static int typeBits(String text, int from, int end) {
    int at = from;
    if (text.startsWith("BF", at)) {
      at += 2;
    } else if (at < end && "USFB".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    int digitsEnd = at;
    while (digitsEnd < end && Character.isDigit(text.charAt(digitsEnd))) {
      digitsEnd++;
    }
    int bits = number(text, at, digitsEnd);
    if (bits < 8 || bits > 128) {
      return 0;
    }
    if (digitsEnd == end) {
      return bits;
    }
    int parts = -1;
    if (text.charAt(digitsEnd) == 'x') {
      parts = number(text, digitsEnd + 1, end);
    } else if (text.startsWith("_V", digitsEnd)) {
      parts = number(text, digitsEnd + 2, end);
    }
    return parts > 0 ? bits * parts : 0;
  }

  static int tokenEnd(String text, int from) {
    int dot = text.indexOf('.', from);
    return dot < 0 ? text.length() : dot;
  }

  /** A non-negative decimal number of at most nine digits, or -1. */
  static int number(String text, int from, int end) {
    if (from >= end || end - from > 9) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < end; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = 10 * value + c - '0';
    }
    return value;
  }
}
