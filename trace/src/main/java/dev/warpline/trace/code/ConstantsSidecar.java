package dev.warpline.trace.code;

import dev.warpline.isa.ConstantOperand;
import dev.warpline.isa.Disassembly;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.Registers;
import dev.warpline.trace.KernelCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The constant operands of a kernel whose code may not be shared: a {@code kernel-N.constants}
 * file. One line per instruction that reads a constant: PC (hex), bank, and offset (hex), which a
 * register may stand before: {@code 0270 3 UR5+8}. Lines that begin with {@code #} are comments;
 * the first of them names the kernel. What has no line reads no constant.
 */
public final class ConstantsSidecar implements KernelCode {
  private static final String TITLE = "# constant operands of ";
  private static final String COLUMNS = "# pc bank offset";
  private static final String EXPECTED =
      "a PC (hex), a bank of 0 to 31, and an offset of up to 5 digits (hex), a register or both"
          + " (UR5+8)";
  private static final int MOST_BANK = 31;
  private static final Pattern PLACE =
      Pattern.compile("(?:(U?R\\d{1,3})(?:\\+(?=.)|$))?(-?[0-9a-fA-F]{1,5})?");

  private final String kernelName;
  private final Map<Integer, ConstantOperand> constants;

  private ConstantsSidecar(String kernelName, Map<Integer, ConstantOperand> constants) {
    this.kernelName = kernelName;
    this.constants = constants;
  }

  /**
   * Reads a sidecar.
   *
   * @param file its name, for messages
   */
  public static ConstantsSidecar read(Reader text, String file) throws IOException {
    BufferedReader reader = new BufferedReader(text);
    String name = "";
    Map<Integer, ConstantOperand> constants = new TreeMap<>();
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
      ConstantOperand constant = fields.length == 3 ? constant(fields[1], fields[2]) : null;
      if (constant == null || !fields[0].matches("[0-9a-fA-F]{1,8}")) {
        throw new CodeFormatException(file, lineNumber, quote(line), EXPECTED);
      }
      int pc = Integer.parseUnsignedInt(fields[0], 16);
      if (constants.put(pc, constant) != null) {
        throw new CodeFormatException(
            file, lineNumber, "PC " + fields[0] + " for the second time", "each PC once");
      }
    }
    return new ConstantsSidecar(name, constants);
  }

  /** A constant by the fields of a line; null if they are none. */
  private static ConstantOperand constant(String bank, String place) {
    Matcher matcher = PLACE.matcher(place);
    if (!bank.matches("\\d{1,2}") || Integer.parseInt(bank) > MOST_BANK || !matcher.matches()) {
      return null;
    }
    int register = matcher.group(1) == null ? Registers.NONE : Registers.number(matcher.group(1));
    if (matcher.group(1) != null && register == Registers.NONE) {
      return null;
    }
    int offset = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2), 16);
    return new ConstantOperand(Integer.parseInt(bank), register, offset);
  }

  private static String quote(String line) {
    return "\"" + (line.length() <= 40 ? line : line.substring(0, 40) + "...") + "\"";
  }

  /** The sidecar of a listing. */
  public static ConstantsSidecar of(String kernelName, SassListing listing) {
    Map<Integer, ConstantOperand> constants = new TreeMap<>();
    for (int pc : listing.pcs()) {
      put(pc, Disassembly.of(listing.disassembly(pc)).constant(), constants);
    }
    return new ConstantsSidecar(kernelName, constants);
  }

  /** The sidecar of instructions whose constants are known. */
  public static ConstantsSidecar of(String kernelName, Iterable<Instruction> instructions) {
    Map<Integer, ConstantOperand> constants = new TreeMap<>();
    for (Instruction in : instructions) {
      put(in.pc(), in.constant(), constants);
    }
    return new ConstantsSidecar(kernelName, constants);
  }

  private static void put(int pc, ConstantOperand read, Map<Integer, ConstantOperand> constants) {
    // Of cx[UR4][0x10] the bank is not known, so that there is nothing to say.
    if (read.isRead() && read.bank() != ConstantOperand.UNKNOWN_BANK) {
      constants.put(pc, read);
    }
  }

  /** Writes the sidecar as {@link #read} reads it. */
  public void write(Appendable out) throws IOException {
    out.append(TITLE).append(kernelName).append('\n').append(COLUMNS).append('\n');
    for (Map.Entry<Integer, ConstantOperand> entry : constants.entrySet()) {
      ConstantOperand constant = entry.getValue();
      String offset =
          (constant.offset() < 0 ? "-" : "") + Integer.toHexString(Math.abs(constant.offset()));
      String place = offset;
      if (constant.register() != Registers.NONE) {
        String register = Registers.name(constant.register());
        place = constant.offset() == 0 ? register : register + "+" + offset;
      }
      out.append(String.format("%04x %d %s\n", entry.getKey(), constant.bank(), place));
    }
  }

  /** Name of the kernel, empty if the file does not say. */
  public String kernelName() {
    return kernelName;
  }

  /** An instruction without a line is one that reads no constant. */
  @Override
  public boolean has(int pc) {
    return true;
  }

  @Override
  public ConstantOperand constant(int pc) {
    return constants.getOrDefault(pc, ConstantOperand.NONE);
  }
}
