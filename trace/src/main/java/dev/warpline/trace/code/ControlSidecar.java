package dev.warpline.trace.code;

import dev.warpline.isa.ControlBits;
import dev.warpline.isa.Instruction;
import dev.warpline.trace.KernelCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;

/**
 * The control bits of a kernel whose code may not be shared: a {@code kernel-N.ctrl} file. One line
 * per instruction: PC (hex), stall, yield (1: yield), write barrier, read barrier (7: none), wait
 * mask (hex), reuse bits (hex). Lines that begin with {@code #} are comments; the first of them
 * names the kernel.
 */
public final class ControlSidecar implements KernelCode {
  private static final int INSTRUCTION_BYTES = 16;

  /** More code than any kernel has: a guard against a stray number. */
  private static final int MOST_CODE_BYTES = 1 << 26;

  private static final String TITLE = "# control bits of ";
  private static final String COLUMNS =
      "# pc stall yield write_barrier read_barrier wait_mask reuse";

  private final String kernelName;
  private final int[] control;

  private ControlSidecar(String kernelName, int[] control) {
    this.kernelName = kernelName;
    this.control = control;
  }

  /**
   * Reads a sidecar.
   *
   * @param file its name, for messages
   */
  public static ControlSidecar read(Reader text, String file) throws IOException {
    BufferedReader reader = new BufferedReader(text);
    String name = "";
    int[] control = new int[256];
    Arrays.fill(control, ControlBits.ABSENT);
    int size = 0;
    int lineNumber = 0;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      lineNumber++;
      if (line.startsWith(TITLE) && name.isEmpty()) {
        name = line.substring(TITLE.length()).strip();
      }
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      Fields fields = new Fields(line, file, lineNumber);
      int pc = fields.number("a PC that is a multiple of 16 (hex)", 16, MOST_CODE_BYTES - 1);
      if (pc % INSTRUCTION_BYTES != 0) {
        throw new CodeFormatException(
            file, lineNumber, "PC 0x" + Integer.toHexString(pc), "a multiple of 16");
      }
      int row = pc / INSTRUCTION_BYTES;
      if (row >= control.length) {
        int old = control.length;
        control = Arrays.copyOf(control, Math.max(2 * old, row + 1));
        Arrays.fill(control, old, control.length, ControlBits.ABSENT);
      }
      int stall = fields.number("a stall count of 0 to 15", 10, 15);
      int yields = fields.number("a yield flag of 0 or 1", 10, 1);
      int writeBarrier = fields.number("a write barrier of 0 to 7", 10, 7);
      int readBarrier = fields.number("a read barrier of 0 to 7", 10, 7);
      int waitMask = fields.number("a wait mask of 0 to 3f (hex)", 16, 63);
      int reuse = fields.number("reuse bits of 0 to f (hex)", 16, 15);
      fields.end();
      control[row] = ControlBits.of(stall, yields == 1, writeBarrier, readBarrier, waitMask, reuse);
      size = Math.max(size, row + 1);
    }
    return new ControlSidecar(name, Arrays.copyOf(control, size));
  }

  /** The sidecar of a kernel in a cubin. */
  public static ControlSidecar of(Cubin.Kernel kernel) {
    int[] control = new int[kernel.codeBytes() / INSTRUCTION_BYTES];
    for (int row = 0; row < control.length; row++) {
      control[row] = kernel.control(row * INSTRUCTION_BYTES);
    }
    return new ControlSidecar(kernel.name(), control);
  }

  /** The sidecar of instructions that have control bits. */
  public static ControlSidecar of(String kernelName, Iterable<Instruction> instructions) {
    int[] control = new int[0];
    for (Instruction in : instructions) {
      int row = in.pc() / INSTRUCTION_BYTES;
      if (row >= control.length) {
        int old = control.length;
        control = Arrays.copyOf(control, Math.max(2 * old, row + 1));
        Arrays.fill(control, old, control.length, ControlBits.ABSENT);
      }
      control[row] = in.control();
    }
    return new ControlSidecar(kernelName, control);
  }

  /** Writes the sidecar as {@link #read} reads it. */
  public void write(Appendable out) throws IOException {
    out.append(TITLE).append(kernelName).append('\n').append(COLUMNS).append('\n');
    for (int row = 0; row < control.length; row++) {
      int bits = control[row];
      if (bits != ControlBits.ABSENT) {
        out.append(
            String.format(
                "%04x %d %d %d %d %02x %x\n",
                row * INSTRUCTION_BYTES,
                ControlBits.stall(bits),
                ControlBits.yields(bits) ? 1 : 0,
                ControlBits.writeBarrier(bits),
                ControlBits.readBarrier(bits),
                ControlBits.waitMask(bits),
                ControlBits.reuse(bits)));
      }
    }
  }

  /** Name of the kernel, empty if the file does not say. */
  public String kernelName() {
    return kernelName;
  }

  @Override
  public boolean has(int pc) {
    return control(pc) != ControlBits.ABSENT;
  }

  @Override
  public int control(int pc) {
    int row = pc / INSTRUCTION_BYTES;
    return pc >= 0 && pc % INSTRUCTION_BYTES == 0 && row < control.length
        ? control[row]
        : ControlBits.ABSENT;
  }

  /** The blank-separated fields of a line, taken one after the other. */
  private static final class Fields {
    private final String[] fields;
    private final String file;
    private final int line;
    private int next;

    Fields(String text, String file, int line) {
      this.fields = text.strip().split("\\s+");
      this.file = file;
      this.line = line;
    }

    int number(String expected, int radix, int most) throws CodeFormatException {
      if (next == fields.length) {
        throw new CodeFormatException(file, line, "the end of the line", expected);
      }
      String field = fields[next++];
      try {
        int value = Integer.parseInt(field, radix);
        if (value >= 0 && value <= most) {
          return value;
        }
      } catch (NumberFormatException e) {
        // Reported below, as a number out of range is.
      }
      throw new CodeFormatException(file, line, "\"" + field + "\"", expected);
    }

    void end() throws CodeFormatException {
      if (next < fields.length) {
        throw new CodeFormatException(
            file, line, "\"" + fields[next] + "\"", "the end of the line");
      }
    }
  }
}
