package dev.warpline.isa;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One operand of an instruction, as a listing has it.
 *
 * @param kind what it is
 * @param register the register, predicate or barrier register that it names; of memory and
 *     constants the register that is added ({@link Registers#NONE}: none), the regular one if there
 *     are two
 * @param uniform of memory: the uniform register that is added; {@link Registers#NONE}: none
 * @param descriptor of memory: the uniform register that holds its descriptor, {@link
 *     Registers#NONE}: none
 * @param bank of a constant
 * @param value offset of memory or a constant; an integer immediate
 * @param text as written, without sign and markers
 * @param negative a minus before it
 * @param absolute bars around it
 * @param inverted a tilde or an exclamation mark before it
 * @param reuse whether the register-file cache shall keep it
 * @param selector what follows a register after a dot: {@code 64}, {@code H0_H0}, {@code X4}, or ""
 */
public record SassOperand(
    Kind kind,
    int register,
    int uniform,
    int descriptor,
    int bank,
    long value,
    String text,
    boolean negative,
    boolean absolute,
    boolean inverted,
    boolean reuse,
    String selector) {

  /** Kinds of operands. */
  public enum Kind {
    /** Regular or uniform. */
    REGISTER,
    /** Regular or uniform. */
    PREDICATE,
    BARRIER,
    IMMEDIATE,
    CONSTANT,
    MEMORY,
    /** Anything else: names of special registers, of all predicates (PR), of counters. */
    NAME
  }

  private static final Pattern NUMBER =
      Pattern.compile("0x[0-9a-fA-F]+|\\d+(\\.\\d*)?(e[+-]?\\d+)?|INF|QNAN|SNAN");

  public boolean is(Kind wanted) {
    return kind == wanted;
  }

  /** Whether an immediate is written as an integer rather than as a real number. */
  public boolean integer() {
    return kind == Kind.IMMEDIATE && text.startsWith("0x");
  }

  /** The operands that follow a mnemonic, e.g. {@code R4, -R2.reuse, c[0x0][0x160], !P0}. */
  public static List<SassOperand> list(String text) {
    List<SassOperand> operands = new ArrayList<>();
    int at = 0;
    int depth = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      if (c == '{') {
        depth++;
      } else if (c == '}') {
        depth--;
      } else if (c == ',' && depth <= 0 || c == ' ' && depth <= 0) {
        String piece = text.substring(at, i).strip();
        // Notes of the compiler: scoreboards and predictions of newer listings.
        if (!piece.isEmpty() && piece.charAt(0) != '&' && piece.charAt(0) != '?') {
          operands.add(of(piece));
        }
        at = i + 1;
      }
    }
    return Collections.unmodifiableList(operands);
  }

  /** Reads one operand. Whatever is not understood is a {@link Kind#NAME}. */
  public static SassOperand of(String written) {
    String text = written.replace(".reuse", "");
    final boolean reuse = text.length() < written.length();
    boolean negative = false;
    boolean absolute = false;
    boolean inverted = false;
    int from = 0;
    while (from < text.length() && "-~!+|".indexOf(text.charAt(from)) >= 0) {
      char mark = text.charAt(from++);
      negative |= mark == '-';
      inverted |= mark == '~' || mark == '!';
      absolute |= mark == '|';
    }
    text = text.substring(from).replace("|", "");
    Builder builder = new Builder(text, negative, absolute, inverted, reuse);
    SassOperand bracketed = brackets(builder, text);
    if (bracketed != null) {
      return bracketed;
    }
    int dot = text.indexOf('.');
    int register = Registers.number(dot < 0 ? text : text.substring(0, dot));
    if (register >= Registers.B) {
      return builder.of(Kind.BARRIER, register);
    }
    if (Registers.isPredicate(register)) {
      return builder.of(Kind.PREDICATE, register);
    }
    if (register != Registers.NONE) {
      builder.selector = dot < 0 ? "" : text.substring(dot + 1);
      return builder.of(Kind.REGISTER, register);
    }
    if (NUMBER.matcher(text).matches()) {
      Long value = integer(text);
      builder.value = value == null ? 0 : negative ? -value : value;
      return builder.of(Kind.IMMEDIATE, Registers.NONE);
    }
    return builder.of(Kind.NAME, Registers.NONE);
  }

  /**
   * What has brackets: {@code c[0x0][R4+0x8]}, {@code cx[UR4][0x8]}, {@code [R4.64+UR6+0x10]},
   * {@code desc[UR4][R2.64]}, {@code gdesc[UR8]}. Null if there are none.
   */
  private static SassOperand brackets(Builder builder, String text) {
    int open = text.indexOf('[');
    int close = text.indexOf(']', Math.max(0, open));
    if (open < 0 || close < 0) {
      return null;
    }
    String before = text.substring(0, open);
    String first = text.substring(open + 1, close);
    boolean two = text.startsWith("[", close + 1) && text.endsWith("]");
    String second = two ? text.substring(close + 2, text.length() - 1) : null;
    switch (before) {
      case "c", "cx" -> {
        Long bank = before.equals("c") ? integer(first) : Long.valueOf(-1);
        if (second == null || bank == null || !builder.address(second)) {
          return builder.of(Kind.NAME, Registers.NONE);
        }
        builder.bank = bank.intValue();
        if (before.equals("cx")) {
          builder.descriptor = Registers.number(first);
        }
        int index = builder.register == Registers.NONE ? builder.uniform : builder.register;
        return builder.of(Kind.CONSTANT, index);
      }
      case "desc", "gdesc" -> {
        builder.descriptor = Registers.number(first);
        if (second != null && !builder.address(second)) {
          return builder.of(Kind.NAME, Registers.NONE);
        }
        return builder.of(Kind.MEMORY, builder.register);
      }
      case "" -> {
        return builder.address(first)
            ? builder.of(Kind.MEMORY, builder.register)
            : builder.of(Kind.NAME, Registers.NONE);
      }
      default -> {
        return null;
      }
    }
  }

  private static Long integer(String text) {
    try {
      return text.startsWith("0x")
          ? Long.valueOf(Long.parseUnsignedLong(text.substring(2), 16))
          : Long.decode(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Collects the parts of an operand. */
  private static final class Builder {
    private final String text;
    private final boolean negative;
    private final boolean absolute;
    private final boolean inverted;
    private final boolean reuse;
    private int register = Registers.NONE;
    private int uniform = Registers.NONE;
    private int descriptor = Registers.NONE;
    private int bank;
    private long value;
    private String selector = "";

    Builder(String text, boolean negative, boolean absolute, boolean inverted, boolean reuse) {
      this.text = text;
      this.negative = negative;
      this.absolute = absolute;
      this.inverted = inverted;
      this.reuse = reuse;
    }

    /** Takes the inside of brackets: registers and an offset, joined by plus signs. */
    boolean address(String inside) {
      for (String term : inside.split("\\+")) {
        int dot = term.indexOf('.');
        int number = Registers.number(dot < 0 ? term : term.substring(0, dot));
        if (Registers.isUniform(number)) {
          uniform = number;
        } else if (Registers.isRegular(number)) {
          register = number;
          selector = dot < 0 ? "" : term.substring(dot + 1);
        } else {
          Long offset = integer(term);
          if (offset == null) {
            return false;
          }
          value += offset;
        }
      }
      return true;
    }

    SassOperand of(Kind kind, int theRegister) {
      return new SassOperand(
          kind,
          theRegister,
          uniform,
          descriptor,
          bank,
          value,
          text,
          negative,
          absolute,
          inverted,
          reuse,
          selector);
    }
  }
}
