package dev.warpline.nvidia.emulate;

import dev.warpline.isa.Disassembly;
import dev.warpline.isa.SassOperand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads listings: lines of PC, tab, instruction; or what {@code cuobjdump -sass} prints. */
final class SassParser {
  private static final Pattern DUMPED =
      Pattern.compile("\\s*/\\*([0-9a-f]{4,})\\*/\\s+(.*?);(?:\\s*/\\* 0x([0-9a-f]{16}) \\*/)?.*");
  private static final Pattern FUNCTION = Pattern.compile("\\s*Function : (\\S+).*");
  private static final Pattern LISTED = Pattern.compile("([0-9a-fA-F]+)\t(.*)");
  private static final Pattern COMMENT = Pattern.compile("\\(\\*.*?\\*\\)");
  private static final Pattern GUARDED = Pattern.compile("@!?U?P[T0-9]\\s+\\S.*");

  private static final Pattern NAN = Pattern.compile("[+-]?[QS]NAN\\b");
  private static final Pattern WIDE = Pattern.compile("\\bD(ADD|MUL|FMA|SETP)\\b");
  private static final Pattern HALVES = Pattern.compile("\\bH(ADD2|MUL2|FMA2|SETP2|SET2|MNMX2)\\b");

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
        String encoding = found.groupCount() > 2 ? found.group(3) : null;
        instructions.put(pc, instruction(pc, withBits(found.group(2), encoding)));
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

  /**
   * A listing says of an immediate that is no number only that it is none; which, its encoding
   * tells: the upper half of the first 64 bits.
   */
  private static String withBits(String text, String encoding) {
    Matcher immediate = NAN.matcher(text);
    if (encoding == null || !immediate.find()) {
      return text;
    }
    String word = encoding.substring(0, 8);
    boolean wide = WIDE.matcher(text).find();
    return HALVES.matcher(text).find()
        ? text
        : immediate.replaceFirst("0x" + word + (wide ? "00000000" : ""));
  }

  /** Parses one instruction. */
  static SassInstruction parse(int pc, String text) throws EmulationException {
    return new SassParser("instruction").instruction(pc, text);
  }

  private SassInstruction instruction(int pc, String text) throws EmulationException {
    String whole = COMMENT.matcher(text).replaceAll("").replace(";", " ").strip();
    if (whole.startsWith("@") && !GUARDED.matcher(whole).matches()) {
      throw bad(text, "an instruction after its guard");
    }
    Disassembly listed = Disassembly.of(whole);
    List<Operand> operands = new ArrayList<>();
    for (SassOperand operand : listed.operands()) {
      if (operand.is(SassOperand.Kind.NAME) && operand.text().contains("[")) {
        throw bad(operand.text(), "registers and a number in brackets");
      }
      operands.add(Operand.of(operand));
    }
    List<String> words = List.of(listed.mnemonic().split("\\."));
    return new SassInstruction(
        pc,
        whole,
        Warp.predicate(listed.guard()),
        listed.guardInverted(),
        listed.mnemonic(),
        words.get(0),
        words.subList(1, words.size()),
        List.copyOf(operands));
  }

  private EmulationException bad(String found, String expected) {
    return new EmulationException(
        file + ":" + line + ": found \"" + found + "\", expected " + expected);
  }
}
