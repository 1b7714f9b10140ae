package dev.warpline.nvidia.emulate;

import dev.warpline.nvidia.emulate.Operand.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads listings: lines of PC, tab, instruction; or what {@code cuobjdump -sass} prints. */
final class SassParser {
  private static final Pattern DUMPED = Pattern.compile("\\s*/\\*([0-9a-f]{4,})\\*/\\s+(.*?);.*");
  private static final Pattern FUNCTION = Pattern.compile("\\s*Function : (\\S+).*");
  private static final Pattern LISTED = Pattern.compile("([0-9a-fA-F]+)\t(.*)");
  private static final Pattern REGISTER = Pattern.compile("(U?R)(Z|\\d+)((?:\\.\\w+)*)");
  private static final Pattern PREDICATE = Pattern.compile("(U?P)(T|\\d)");
  private static final Pattern BARRIER = Pattern.compile("B(\\d+)");
  private static final Pattern CONSTANT = Pattern.compile("c\\[(\\w+)\\]\\[(.*)\\]");
  private static final Pattern MEMORY = Pattern.compile("(?:desc\\[UR\\w+\\])?\\[(.*)\\]");
  private static final Pattern NUMBER =
      Pattern.compile("0x[0-9a-f]+|\\d+(\\.\\d*)?(e[+-]?\\d+)?|INF|QNAN|SNAN");

  private final String file;
  private int line;

  private SassParser(String file) {
    this.file = file;
  }

  /**
   * The instructions of a kernel by PC.
   *
   * @param file name of the listing, for messages
   */
  static Map<Integer, SassInstruction> parse(String text, String kernel, String file)
      throws EmulationException {
    return new SassParser(file).listing(text, kernel);
  }

  private Map<Integer, SassInstruction> listing(String text, String kernel)
      throws EmulationException {
    Map<Integer, SassInstruction> instructions = new TreeMap<>();
    boolean wanted = true;
    for (String content : text.split("\n")) {
      line++;
      Matcher function = FUNCTION.matcher(content);
      if (function.matches()) {
        wanted = function.group(1).equals(kernel);
        continue;
      }
      Matcher listed = LISTED.matcher(content);
      Matcher dumped = DUMPED.matcher(content);
      Matcher found = listed.matches() ? listed : dumped.matches() ? dumped : null;
      if (found != null && wanted) {
        int pc = Integer.parseInt(found.group(1), 16);
        instructions.put(pc, instruction(pc, found.group(2)));
      }
    }
    if (instructions.isEmpty()) {
      throw new EmulationException(
          file
              + ": found no instruction of "
              + kernel
              + ", expected lines of PC, tab, instruction");
    }
    return instructions;
  }

  /** Parses one instruction. */
  static SassInstruction parse(int pc, String text) throws EmulationException {
    return new SassParser("instruction").instruction(pc, text);
  }

  private SassInstruction instruction(int pc, String text) throws EmulationException {
    String whole = text.replaceAll("\\(\\*.*?\\*\\)", "").replace(";", " ").strip();
    String rest = whole;
    int guard = Warp.TRUE;
    boolean guardInverted = false;
    if (rest.startsWith("@")) {
      String[] parts = rest.split("\\s+", 2);
      Operand predicate = operand(parts[0].substring(1));
      if (!predicate.is(Kind.PREDICATE) || parts.length < 2) {
        throw bad(text, "an instruction after its guard");
      }
      guard = predicate.index();
      guardInverted = predicate.inverted();
      rest = parts[1];
    }
    String[] parts = rest.split("\\s+", 2);
    List<Operand> operands = new ArrayList<>();
    if (parts.length > 1) {
      for (String piece : parts[1].split("[,\\s]+")) {
        if (!piece.isEmpty() && piece.charAt(0) != '&' && piece.charAt(0) != '?') {
          operands.add(operand(piece));
        }
      }
    }
    List<String> words = List.of(parts[0].split("\\."));
    return new SassInstruction(
        pc,
        whole,
        guard,
        guardInverted,
        parts[0],
        words.get(0),
        words.subList(1, words.size()),
        List.copyOf(operands));
  }

  private Operand operand(String written) throws EmulationException {
    String text = written.replace(".reuse", "");
    boolean negative = false;
    boolean absolute = false;
    boolean inverted = false;
    while (!text.isEmpty() && "-~!+|".indexOf(text.charAt(0)) >= 0) {
      char mark = text.charAt(0);
      negative |= mark == '-';
      inverted |= mark == '~' || mark == '!';
      absolute |= mark == '|';
      text = text.substring(1);
    }
    text = text.replace("|", "");
    Matcher match = REGISTER.matcher(text);
    if (match.matches()) {
      String selector = match.group(3).isEmpty() ? "" : match.group(3).substring(1);
      return new Operand(
          Kind.REGISTER, register(match), 0, 0, text, negative, absolute, inverted, selector);
    }
    match = PREDICATE.matcher(text);
    if (match.matches()) {
      int number = match.group(2).equals("T") ? Warp.TRUE : Integer.parseInt(match.group(2));
      int index = number + (match.group(1).equals("UP") ? Warp.UNIFORM_PREDICATE : 0);
      return new Operand(Kind.PREDICATE, index, 0, 0, text, false, false, inverted, "");
    }
    match = BARRIER.matcher(text);
    if (match.matches()) {
      int number = Integer.parseInt(match.group(1));
      return new Operand(Kind.BARRIER, number, 0, 0, text, false, false, false, "");
    }
    match = CONSTANT.matcher(text);
    if (match.matches()) {
      Operand inside = memory(match.group(2), written);
      int bank = (int) number(match.group(1), written);
      int index = inside.index() == Warp.ZERO ? inside.second() : inside.index();
      return new Operand(
          Kind.CONSTANT, index, bank, inside.value(), text, negative, absolute, inverted, "");
    }
    match = MEMORY.matcher(text);
    if (match.matches()) {
      return memory(match.group(1), written);
    }
    if (NUMBER.matcher(text).matches()) {
      long value = text.startsWith("0x") ? number(text, written) : 0;
      return new Operand(
          Kind.IMMEDIATE, 0, 0, negative ? -value : value, text, negative, absolute, inverted, "");
    }
    return new Operand(Kind.NAME, 0, 0, 0, text, negative, absolute, inverted, "");
  }

  private static int register(Matcher match) {
    boolean uniform = match.group(1).equals("UR");
    if (match.group(2).equals("Z")) {
      return uniform ? Warp.UNIFORM_ZERO : Warp.ZERO;
    }
    return Integer.parseInt(match.group(2)) + (uniform ? Warp.UNIFORM : 0);
  }

  /** The inside of brackets: registers and an offset, joined by plus signs. */
  private Operand memory(String inside, String written) throws EmulationException {
    int index = Warp.ZERO;
    int second = Warp.UNIFORM_ZERO;
    long offset = 0;
    String selector = "";
    for (String term : inside.split("\\+")) {
      Matcher match = REGISTER.matcher(term);
      if (match.matches() && match.group(1).equals("UR")) {
        second = register(match);
      } else if (match.matches()) {
        index = register(match);
        selector = match.group(3).isEmpty() ? "" : match.group(3).substring(1);
      } else {
        offset += number(term, written);
      }
    }
    return new Operand(Kind.MEMORY, index, second, offset, inside, false, false, false, selector);
  }

  private long number(String text, String written) throws EmulationException {
    try {
      return Long.decode(text);
    } catch (NumberFormatException e) {
      throw bad(written, "a number or register instead of " + text);
    }
  }

  private EmulationException bad(String found, String expected) {
    return new EmulationException(
        file + ":" + line + ": found \"" + found + "\", expected " + expected);
  }
}
