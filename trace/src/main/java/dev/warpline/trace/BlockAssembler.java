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
  private final String file;
  private final Diagnostics diagnostics;
  private final InstructionDecoder decoder;
  private final Set<String> unknownOpcodes = new HashSet<>();
  private long[] shared = new long[33];

  private BlockTrace block;
  private int warp = -1;
  private byte[] bytes;
  private int lineStart;
  private long lineNumber;

  /** Whether the instruction added last may be the first line of an LDGSTS. */
  private boolean halfCopy;

  BlockAssembler(
      String file, KernelHeader header, KernelCode code, CodeTable table, Diagnostics diagnostics) {
    this.file = file;
    this.diagnostics = diagnostics;
    this.decoder = new InstructionDecoder(header, code, table, this::checkRow);
  }

  void beginBlock(BlockTrace into, long blockId, int warps) {
    block = into;
    warp = -1;
    into.reset(blockId, warps);
  }

  void beginWarp(int number) {
    warp = number;
    halfCopy = false;
    block.beginWarp(number);
  }

  void endWarp() {
    if (warp >= 0) {
      block.endWarp(warp);
      warp = -1;
    }
  }

  /** Adds an instruction line; a bad one is reported and left out. */
  void line(byte[] b, int from, int to, long number) throws TraceFormatException {
    line(b, from, from, to, number);
  }

  /** The same for a line whose core begins after a prefix. */
  void line(byte[] b, int start, int from, int to, long number) throws TraceFormatException {
    bytes = b;
    lineStart = start;
    lineNumber = number;
    BlockTrace into = block;
    int dataBefore = into.dataSize;
    try {
      decoder.decode(b, from, to, into);
    } catch (LineSyntaxException e) {
      into.dataSize = dataBefore;
      halfCopy = false;
      diagnostics.report(
          new Problem(
              file,
              number,
              e.position - start + 1,
              Quote.word(b, e.position, to),
              e.expected,
              Skipped.INSTRUCTION));
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
    int sharedAt = into.payload[into.instructions - 1];
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

  private void checkRow(Instruction instruction, int position) throws TraceFormatException {
    String name = instruction.opcode().name();
    if (!instruction.opcode().known() && unknownOpcodes.add(name)) {
      report(position, name, "an opcode of this GPU generation (taken as an integer instruction)");
    }
    if (instruction.recordedWidth() == 0
        && InstructionDecoder.needsAddresses(instruction.opcode())) {
      report(
          position,
          instruction.text() + " with memory width 0",
          "a memory instruction with addresses");
    }
  }

  private void report(int position, String found, String expected) throws TraceFormatException {
    diagnostics.report(
        new Problem(file, lineNumber, position - lineStart + 1, found, expected, Skipped.NOTHING));
  }
}
