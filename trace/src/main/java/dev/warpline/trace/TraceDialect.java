package dev.warpline.trace;

import dev.warpline.isa.Instruction;
import java.io.IOException;

/**
 * How a version of the tracer writes an instruction. This class is the grammar that all versions
 * share; what a version does otherwise is a subclass of its own, which {@link TraceDialects} names:
 *
 * <pre>
 *   [block and warp] [line] PC mask destinations opcode sources [OPERANDS] width [addresses] TAIL
 * </pre>
 *
 * <p>A dialect has no state: one object serves all kernels.
 */
public abstract class TraceDialect {
  /** What a line says of its static instruction beside registers and opcode. */
  public static final class Recorded {
    /** Mnemonic with all modifiers. */
    public String text;

    public long immediate;
    public long immediate2;

    /** Whether a warpgroup matrix product closes its group. */
    public boolean commitsGroup;

    /** Whether register values follow to the end of the line. */
    public boolean values;

    Recorded() {}

    void begin(String mnemonic) {
      text = mnemonic;
      immediate = 0;
      immediate2 = 0;
      commitsGroup = false;
      values = false;
    }
  }

  /** The first version that writes so. */
  public abstract int first();

  /** The last version that writes so. */
  public abstract int last();

  /** Whether lines of a grouped trace begin with block x, y, z and warp. */
  public boolean namesWarpInLine() {
    return false;
  }

  /** Whether a barrier's immediates are its number and its threads. */
  public boolean namesBarriers() {
    return false;
  }

  /** Whether a bulk copy has its operands and sectors in place of addresses. */
  public boolean recordsBulkCopy(String opcode) {
    return false;
  }

  /** Takes what stands between the sources and the memory width. */
  public void readOperands(LineFields line, Recorded into) throws LineSyntaxException {}

  /** Writes what {@link #readOperands} takes, each field with a blank behind it. */
  public void writeOperands(Instruction instruction, Appendable line) throws IOException {}

  /** Takes what stands behind the addresses: here an immediate, which may be absent. */
  public void readTail(LineFields line, Recorded into) throws LineSyntaxException {
    into.immediate = line.hasMore() ? line.decimal("an immediate") : 0;
  }

  /**
   * Writes what {@link #readTail} takes.
   *
   * @param values whether register values follow, which are written by the caller
   */
  public void writeTail(Instruction instruction, boolean values, Appendable line)
      throws IOException {
    line.append(Long.toString(instruction.immediate())).append(' ');
  }

  /** The comment with the names of the columns. */
  public String columns() {
    return columns("");
  }

  /** The comment with other columns after the sources. */
  protected static String columns(String operands) {
    return "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
        + operands
        + "mem_width [adrrescompress?] [mem_addresses] immediate";
  }
}
