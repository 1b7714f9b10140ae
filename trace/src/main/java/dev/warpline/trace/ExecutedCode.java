package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.ControlBits;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.OpcodeTable;
import java.util.HashMap;
import java.util.Map;

/**
 * The code table of a kernel that is executed here rather than read from a trace: rows are what a
 * reader of the trace would have made of its lines and of the code beside it.
 */
public final class ExecutedCode {
  private final KernelCode code;
  private final OpcodeTable opcodes;
  private final CodeTable table = new CodeTable();
  private final Map<Integer, Integer> rows = new HashMap<>();

  /**
   * @param binaryVersion SM number, e.g. 90
   * @param code what is known of the code by PC
   */
  public ExecutedCode(int binaryVersion, KernelCode code) {
    this.code = code;
    this.opcodes = OpcodeTable.forBinaryVersion(binaryVersion);
  }

  /**
   * What a tracer records of an instruction.
   *
   * @param opcode mnemonic with all modifiers
   * @param destinations regular registers written
   * @param sources regular registers read
   * @param width bytes per lane, 0 if it does not access memory
   * @param immediate first immediate
   * @param immediate2 second immediate
   * @param commits whether a warpgroup product closes its group
   */
  public record Recorded(
      String opcode,
      int[] destinations,
      int[] sources,
      int width,
      long immediate,
      long immediate2,
      boolean commits) {}

  /** Adds an instruction, once for each PC; returns its row. */
  public int add(int pc, Recorded recorded, String disassembly) {
    Integer known = rows.putIfAbsent(pc, table.size());
    if (known != null) {
      return known;
    }
    int row = table.size();
    table.add(
        new Instruction(
            row,
            pc,
            () -> code.source(pc),
            recorded.opcode(),
            opcodes.lookup(recorded.opcode()),
            recorded.destinations(),
            recorded.sources(),
            recorded.width(),
            recorded.immediate(),
            recorded.immediate2(),
            recorded.commits(),
            code.control(pc),
            code.low(pc),
            code.high(pc),
            disassembly,
            null));
    return row;
  }

  /** The rows so far. */
  public CodeTable table() {
    return table;
  }

  /** Whether the code has control bits. */
  public boolean hasControlBits() {
    return code.control(0) != ControlBits.ABSENT;
  }
}
