package dev.warpline.trace.code;

import dev.warpline.isa.ControlBits;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.KernelCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.Map;

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

  /** This listing together with the words and control bits of another source. */
  public KernelCode beside(KernelCode code) {
    return new KernelCode() {
      @Override
      public int control(int pc) {
        return code.control(pc);
      }

      @Override
      public long low(int pc) {
        return code.low(pc);
      }

      @Override
      public long high(int pc) {
        return code.high(pc);
      }

      @Override
      public String disassembly(int pc) {
        return SassListing.this.disassembly(pc);
      }

      @Override
      public Dim3 cluster() {
        return code.cluster();
      }
    };
  }

  /** How many instructions are listed. */
  public int size() {
    return instructions.size();
  }

  @Override
  public int control(int pc) {
    return ControlBits.ABSENT;
  }

  @Override
  public long low(int pc) {
    return 0;
  }

  @Override
  public long high(int pc) {
    return 0;
  }

  @Override
  public String disassembly(int pc) {
    return instructions.get(pc);
  }
}
