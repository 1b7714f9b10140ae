package dev.warpline.trace.code;

import dev.warpline.isa.Instruction;
import dev.warpline.trace.KernelCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.Map;

/**
 * The encoding of a kernel's executed instructions: a {@code kernel-N.code} file. One line per
 * instruction: PC, first and second word of its 128 bits, all hexadecimal. Control bits are taken
 * from the file {@code kernel-N.ctrl} beside it. Lines that begin with {@code #} are comments; the
 * first of them names the kernel.
 */
public final class CodeWords implements KernelCode {
  private static final String TITLE = "# code of ";
  private static final String COLUMNS = "# pc low high";
  private static final String EXPECTED = "a PC and two words of up to 16 digits, hexadecimal";

  private final String kernelName;
  private final Map<Integer, long[]> words;

  private CodeWords(String kernelName, Map<Integer, long[]> words) {
    this.kernelName = kernelName;
    this.words = words;
  }

  /**
   * Reads a file.
   *
   * @param file its name, for messages
   */
  public static CodeWords read(Reader text, String file) throws IOException {
    BufferedReader reader = new BufferedReader(text);
    String name = "";
    Map<Integer, long[]> words = new HashMap<>();
    int lineNumber = 0;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      lineNumber++;
      if (line.startsWith(TITLE) && name.isEmpty()) {
        name = line.substring(TITLE.length()).strip();
      }
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] fields = line.strip().split("\\s+");
      try {
        if (fields.length != 3) {
          throw new NumberFormatException();
        }
        words.put(
            Integer.parseUnsignedInt(fields[0], 16),
            new long[] {
              Long.parseUnsignedLong(fields[1], 16), Long.parseUnsignedLong(fields[2], 16)
            });
      } catch (NumberFormatException e) {
        String found = line.length() <= 40 ? line : line.substring(0, 40) + "...";
        throw new CodeFormatException(file, lineNumber, "\"" + found + "\"", EXPECTED);
      }
    }
    return new CodeWords(name, words);
  }

  /** Writes the words of instructions as {@link #read} reads them. */
  public static void write(String kernel, Iterable<Instruction> instructions, Appendable out)
      throws IOException {
    out.append(TITLE).append(kernel).append('\n').append(COLUMNS).append('\n');
    for (Instruction in : instructions) {
      out.append(String.format("%04x %016x %016x\n", in.pc(), in.low(), in.high()));
    }
  }

  /** Name of the kernel, empty if the file does not say. */
  public String kernelName() {
    return kernelName;
  }

  @Override
  public boolean has(int pc) {
    return words.containsKey(pc);
  }

  @Override
  public long low(int pc) {
    return has(pc) ? words.get(pc)[0] : 0;
  }

  @Override
  public long high(int pc) {
    return has(pc) ? words.get(pc)[1] : 0;
  }
}
