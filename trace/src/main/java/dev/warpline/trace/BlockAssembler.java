package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Instruction;
import dev.warpline.trace.Problem.Skipped;
import java.util.HashSet;
import java.util.Set;

/**
 * Puts the instruction lines of a block's warps into a {@link BlockTrace}: joins the two lines of
 * an LDGSTS and reports what is wrong, with its place.
 */
final class BlockAssembler {
  private static final int NONE = -1;

  private final String file;

  /** Whether line numbers count from each warp's first line, so that messages name the warp. */
  private final boolean linesOfWarps;

  private final Diagnostics diagnostics;
  private final InstructionDecoder decoder;
  private final SideFiles sideFiles;
  private final Set<String> unknownOpcodes = new HashSet<>();

  /** What was reported of the code; once per kernel is enough. */
  private final Set<String> doubts = new HashSet<>();

  private long[] shared = new long[33];

  private BlockTrace block;
  private boolean[] seen = new boolean[32];

  /** The warp that lines go to, {@link #NONE} before the first and in one that is skipped. */
  private int warp = NONE;

  private boolean warpSkipped;

  /** Lines of the warp so far, and as announced by {@code insts =}, with that line's number. */
  private long lines;

  private long expectedLines;
  private long expectedAt;

  private int lineStart;
  private long lineNumber;

  /** Whether the instruction added last may be the first line of an LDGSTS. */
  private boolean halfCopy;

  BlockAssembler(
      String file,
      boolean linesOfWarps,
      KernelHeader header,
      KernelCode code,
      CodeTable table,
      Diagnostics diagnostics) {
    this.file = file;
    this.linesOfWarps = linesOfWarps;
    this.diagnostics = diagnostics;
    this.sideFiles = code instanceof SideFiles files ? files : null;
    this.decoder = new InstructionDecoder(header, code, table, this::checkRow);
  }

  void beginBlock(BlockTrace into, long blockId, int warps) {
    block = into;
    warp = NONE;
    warpSkipped = false;
    if (seen.length < warps) {
      seen = new boolean[warps];
    }
    java.util.Arrays.fill(seen, false);
    into.reset(blockId, warps);
    expectedLines = NONE;
  }

  /** Begins a warp as a trace names it; one that cannot be is reported and its lines skipped. */
  void beginWarp(long number, String text, long atLine) throws TraceFormatException {
    endWarp();
    warpSkipped = true;
    if (number < 0 || number >= block.warps) {
      report(atLine, 1, Quote.of(text), "a warp from 0 to " + (block.warps - 1), Skipped.WARP);
    } else if (seen[(int) number]) {
      report(atLine, 1, Quote.of(text) + " for the second time", "each warp once", Skipped.WARP);
    } else {
      beginWarp((int) number);
    }
  }

  void beginWarp(int number) {
    warp = number;
    warpSkipped = false;
    seen[number] = true;
    halfCopy = false;
    lines = 0;
    expectedLines = NONE;
    block.beginWarp(number);
  }

  /** How many lines the trace says the warp has. */
  void expectLines(long count, long atLine) throws TraceFormatException {
    if (count < 0) {
      report(atLine, 1, "an insts line without a number", "insts = <count>", Skipped.NOTHING);
    }
    expectedLines = count;
    expectedAt = atLine;
  }

  void endWarp() throws TraceFormatException {
    if (warp == NONE) {
      return;
    }
    block.endWarp(warp);
    long expected = expectedLines;
    expectedLines = NONE;
    if (expected >= 0 && expected != lines) {
      report(
          expectedAt,
          1,
          "insts = " + expected,
          "insts = " + lines + ", as many as there are lines",
          Skipped.NOTHING);
    }
    warp = NONE;
  }

  void endBlock() throws TraceFormatException {
    endWarp();
  }

  int warp() {
    return warp;
  }

  /** Adds an instruction line; a bad one is reported and left out. */
  void line(byte[] b, int from, int to, long number) throws TraceFormatException {
    line(b, from, from, to, number);
  }

  /** The same for a line whose instruction begins after a prefix. */
  void line(byte[] b, int start, int from, int to, long number) throws TraceFormatException {
    if (warp == NONE) {
      if (!warpSkipped) {
        report(
            number,
            1,
            Quote.word(b, start, to) + " before the first warp",
            "warp = <number>",
            Skipped.INSTRUCTION);
      }
      return;
    }
    lines++;
    lineStart = start;
    lineNumber = number;
    BlockTrace into = block;
    int dataBefore = into.dataSize;
    try {
      decoder.decode(b, from, to, into);
    } catch (LineSyntaxException e) {
      into.dataSize = dataBefore;
      halfCopy = false;
      report(
          number,
          e.position - start + 1,
          Quote.word(b, e.position, to),
          e.expected,
          Skipped.INSTRUCTION);
      return;
    }
    int row = decoder.row;
    int mask = decoder.mask;
    if (halfCopy && joins(row, mask)) {
      swapHalves(into, decoder.payload);
      halfCopy = false;
      return;
    }
    into.add(row, mask, decoder.payload);
    halfCopy = decoder.copiesToShared(row) && decoder.payload != BlockTrace.NO_PAYLOAD;
  }

  private boolean joins(int row, int mask) {
    int last = block.instructions - 1;
    return block.row[last] == row && block.mask[last] == mask;
  }

  /**
   * The tracer writes the shared addresses first; the payload has the global ones first, so that a
   * trace whose post-processor kept only the global line looks the same.
   */
  private void swapHalves(BlockTrace into, int globalAt) {
    int sharedAt = into.payload(into.instructions - 1);
    int sharedWords = globalAt - sharedAt;
    int globalWords = into.dataSize - globalAt;
    if (shared.length < sharedWords) {
      shared = new long[sharedWords];
    }
    long[] data = into.data;
    System.arraycopy(data, sharedAt, shared, 0, sharedWords);
    System.arraycopy(data, globalAt, data, sharedAt, globalWords);
    System.arraycopy(shared, 0, data, sharedAt + globalWords, sharedWords);
    int last = sharedAt;
    while ((data[last] & Payload.HAS_NEXT) != 0) {
      last = Payload.next(data, last);
    }
    data[last] |= Payload.HAS_NEXT;
  }

  private void checkRow(Instruction instruction, int position, String other)
      throws TraceFormatException {
    int column = position - lineStart + 1;
    String name = instruction.opcode().name();
    if (!instruction.opcode().known() && unknownOpcodes.add(name)) {
      report(
          lineNumber,
          column,
          "opcode " + Quote.of(name),
          "an opcode of this GPU generation (taken as a simple integer instruction)",
          Skipped.NOTHING);
    }
    if (instruction.recordedWidth() == 0
        && InstructionDecoder.needsAddresses(instruction.opcode())) {
      report(
          lineNumber,
          column,
          Quote.of(instruction.text()) + " with memory width 0",
          "a memory width and addresses",
          Skipped.NOTHING);
    }
    if (other != null && doubts.add("")) {
      report(
          lineNumber,
          column,
          Quote.of(instruction.text()) + " at PC " + hex(instruction) + " where " + other + " was",
          "one opcode per PC (code of two functions, or of another kernel?)",
          Skipped.NOTHING);
    }
    if (sideFiles != null) {
      checkCode(instruction, column);
    }
  }

  /** Whether the files beside the trace know an instruction, and as the same one. */
  private void checkCode(Instruction instruction, int column) throws TraceFormatException {
    String without = sideFiles.without(instruction.pc());
    if (without != null && doubts.add(without)) {
      report(
          lineNumber,
          column,
          Quote.of(instruction.text()) + " at PC " + hex(instruction),
          "a PC that " + without + " has, too (is it of another kernel?)",
          Skipped.NOTHING);
    }
    String listed = sideFiles.disassembly(instruction.pc());
    if (!InstructionDecoder.agrees(listed, instruction.opcode()) && doubts.add("listing")) {
      report(
          lineNumber,
          column,
          Quote.of(instruction.text()) + " at PC " + hex(instruction),
          Quote.of(listed)
              + " as in "
              + sideFiles.listing(instruction.pc())
              + " (what it says of this PC is not used)",
          Skipped.NOTHING);
    }
  }

  private static String hex(Instruction instruction) {
    return "0x" + Integer.toHexString(instruction.pc());
  }

  private void report(long line, int column, String found, String expected, Skipped skipped)
      throws TraceFormatException {
    String place = linesOfWarps ? file + "(block " + block.blockId + ", warp " + warp + ")" : file;
    diagnostics.report(new Problem(place, line, column, found, expected, skipped));
  }
}
