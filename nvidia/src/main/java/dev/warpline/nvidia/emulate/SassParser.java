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
  private static final Pattern DUMPED = Pattern.compile("\\s*/\\*([0-9a-f]{4,})\\*/\\s+(.*?);.*");
  private static final Pattern FUNCTION = Pattern.compile("\\s*Function : (\\S+).*");
  private static final Pattern LISTED = Pattern.compile("([0-9a-fA-F]+)\t(.*)");
  private static final Pattern COMMENT = Pattern.compile("\\(\\*.*?\\*\\)");
  private static final Pattern GUARDED = Pattern.compile("@!?U?P[T0-9]\\s+\\S.*");

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
