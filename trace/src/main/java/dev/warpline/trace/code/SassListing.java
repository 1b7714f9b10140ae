package dev.warpline.trace.code;

import dev.warpline.isa.Instruction;
import dev.warpline.trace.KernelCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The disassembly of a kernel: a {@code kernel-N.sass} file. One line per instruction: PC (hex), a
 * tab, the instruction.
 */
public final class SassListing implements KernelCode {
  private final Map<Integer, String> instructions;

  private SassListing(Map<Integer, String> instructions) {
    this.instructions = instructions;
  }

  /**
   * Reads a listing.
   *
   * @param file its name, for messages
   */
  public static SassListing read(Reader text, String file) throws IOException {
    BufferedReader reader = new BufferedReader(text);
    Map<Integer, String> instructions = new HashMap<>();
    int lineNumber = 0;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      lineNumber++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int tab = line.indexOf('\t');
      try {
        int pc = Integer.parseInt(line.substring(0, Math.max(0, tab)), 16);
        String instruction = line.substring(tab + 1).strip();
        if (instruction.endsWith(";")) {
          instruction = instruction.substring(0, instruction.length() - 1).stripTrailing();
        }
        instructions.put(pc, instruction);
      } catch (NumberFormatException e) {
        String found = line.length() <= 40 ? line : line.substring(0, 40) + "...";
        throw new CodeFormatException(
            file, lineNumber, "\"" + found + "\"", "a hexadecimal PC, a tab, an instruction");
      }
    }
    return new SassListing(instructions);
  }

  /** Writes the listing of instructions as {@link #read} reads it. */
  public static void write(Iterable<Instruction> instructions, Appendable out) throws IOException {
    for (Instruction in : instructions) {
      out.append(String.format("%04x\t%s ;\n", in.pc(), in.disassembly()));
    }
  }

  /** How many instructions are listed. */
  public int size() {
    return instructions.size();
  }

  /** PCs of the listed instructions. */
  public Set<Integer> pcs() {
    return Collections.unmodifiableSet(instructions.keySet());
  }

  @Override
  public boolean has(int pc) {
    return instructions.containsKey(pc);
  }

  @Override
  public String disassembly(int pc) {
    return instructions.get(pc);
  }
}
