package dev.warpline.nvidia.modern.code;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Operands of an instruction as its listing shows them, e.g. {@code FFMA R4, R2.reuse,
 * c[0x0][0x160], R5}.
 *
 * @param sources register of each source position, -1 for constants, immediates, uniform registers
 *     and RZ
 * @param constantLine 64-byte line of a constant operand (bank in the upper half), -1 if none
 * @param guarded whether a predicate guards it
 */
public record Operands(int[] sources, int constantLine, boolean guarded) {
  private static final Pattern DEPBAR =
      Pattern.compile(
          "DEPBAR(?:\\.LE\\s+SB([0-5])\\s*,\\s*(0x[0-9a-fA-F]+|\\d+))?[\\s,]*(?:\\{([0-5,\\s]+)\\})?");

  /** Null when there is no listing. */
  public static Operands parse(String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    String rest = text.trim();
    if (rest.endsWith(";")) {
      rest = rest.substring(0, rest.length() - 1).trim();
    }
    boolean guarded = rest.startsWith("@");
    if (guarded) {
      int space = rest.indexOf(' ');
      rest = space < 0 ? "" : rest.substring(space + 1).trim();
    }
    int space = rest.indexOf(' ');
    if (space < 0) {
      return new Operands(new int[0], -1, guarded);
    }
    String mnemonic = rest.substring(0, space);
    String[] parts = rest.substring(space + 1).split(",");
    int[] sources = new int[parts.length];
    int n = 0;
    int constant = -1;
    boolean first = true;
    boolean setsPredicate = mnemonic.contains("SETP") || mnemonic.startsWith("PLOP3");
    for (String part : parts) {
      String operand = part.trim();
      if (first && !setsPredicate) {
        // The destination; predicates that follow it are results too.
        first = false;
        continue;
      }
      first = false;
      if (isPredicate(operand)) {
        continue;
      }
      int at = operand.indexOf("c[");
      if (at >= 0) {
        constant = line(operand, at);
      }
      sources[n++] = register(operand);
    }
    return new Operands(Arrays.copyOf(sources, n), constant, guarded);
  }

  /**
   * Immediate operands in their order, e.g. barrier and thread count of {@code BAR.SYNC 0x1, 0x80}.
   */
  public static int[] numbers(String text) {
    if (text == null) {
      return new int[0];
    }
    return Arrays.stream(text.replace(';', ' ').split("[ ,]+"))
        .filter(part -> part.startsWith("0x"))
        .mapToInt(Integer::decode)
        .toArray();
  }

  /** Whether a memory operand such as {@code [UR4+0x10]} names no regular register. */
  public static boolean uniformAddress(String text) {
    int at = text == null ? -1 : text.lastIndexOf('[');
    if (at < 0) {
      return false;
    }
    String inside = text.substring(at + 1, Math.max(at + 1, text.indexOf(']', at)));
    for (String part : inside.split("\\+")) {
      if (register(part.trim()) >= 0 || part.trim().startsWith("RZ")) {
        return false;
      }
    }
    return inside.startsWith("UR");
  }

  /** Register that indexes a constant bank, as in {@code c[0x3][R7+0x8]}; -1 if none does. */
  public static int indexRegister(String text) {
    int at = text == null ? -1 : text.indexOf("][R");
    return at < 0 ? -1 : register(text.substring(at + 2));
  }

  /**
   * Counter, limit and mask of the counters that must be 0 of {@code DEPBAR.LE SB0, 0x1, {4,3}};
   * the counter is -1 in the form with a list alone. Null if the text is not a DEPBAR's.
   */
  public static int[] depbar(String text) {
    if (text == null || !text.contains("DEPBAR")) {
      return null;
    }
    Matcher m = DEPBAR.matcher(text);
    if (!m.find()) {
      return null;
    }
    int zero = 0;
    if (m.group(3) != null) {
      for (String counter : m.group(3).split(",")) {
        zero |= 1 << Integer.parseInt(counter.trim());
      }
    }
    return m.group(1) == null
        ? new int[] {-1, 0, zero}
        : new int[] {Integer.parseInt(m.group(1)), Integer.decode(m.group(2)), zero};
  }

  private static boolean isPredicate(String operand) {
    String name = operand.startsWith("!") ? operand.substring(1) : operand;
    return name.startsWith("P") || name.startsWith("UP");
  }

  private static int register(String operand) {
    int at = 0;
    while (at < operand.length() && "-|~!".indexOf(operand.charAt(at)) >= 0) {
      at++;
    }
    if (at + 1 >= operand.length()
        || operand.charAt(at) != 'R'
        || !Character.isDigit(operand.charAt(at + 1))) {
      return -1;
    }
    int value = 0;
    for (int i = at + 1; i < operand.length() && Character.isDigit(operand.charAt(i)); i++) {
      value = 10 * value + operand.charAt(i) - '0';
    }
    return value;
  }

  /** Line of {@code c[bank][offset]}; an offset by register counts as none. */
  private static int line(String operand, int at) {
    try {
      int end = operand.indexOf(']', at);
      int bank = Integer.decode(operand.substring(at + 2, end));
      int from = operand.indexOf('[', end);
      String offset = operand.substring(from + 1, operand.indexOf(']', from));
      return bank << 16 | Integer.decode(offset) >> 6;
    } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
      return -1;
    }
  }
}
