package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.ControlBits;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.MemorySpace;
import dev.warpline.isa.Opcode;
import dev.warpline.isa.OpcodeTable;
import dev.warpline.isa.SourcePlace;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Turns instruction lines into dynamic instructions, and what is static in them into rows of the
 * kernel's code table.
 *
 * <p>A line is {@code [source line] PC mask BODY [addresses TAIL]}, where BODY runs from the
 * destination count to the memory width and TAIL holds the immediates. A row remembers the bytes of
 * its BODY and TAIL; a line is recognised by its PC and by comparing bytes, and only a line that is
 * met for the first time is taken apart.
 */
final class InstructionDecoder {
  private static final int NONE = -1;

  /** The rest of the line is static. */
  private static final byte STATIC = 0;

  /** Addresses follow the body. */
  private static final byte ADDRESSES = 1;

  /** A bulk copy's operands and sectors follow the body. */
  private static final byte BULK = 2;

  private final KernelHeader header;
  private final KernelCode code;
  private final CodeTable table;
  private final OpcodeTable opcodes;
  private final RowListener listener;

  private byte[][] bodies = new byte[64][];
  private byte[][] tails = new byte[64][];
  private byte[] kinds = new byte[64];
  private boolean[] hasValues = new boolean[64];
  private boolean[] copies = new boolean[64];
  private int[] nextSamePc = new int[64];

  /** Open addressing by PC: the latest row of that PC plus one, 0 where free. */
  private int[] rowOfPc = new int[256];

  private int[] pcs = new int[64];

  private final LineFields in = new LineFields();
  private final TraceDialect.Recorded recorded = new TraceDialect.Recorded();
  private final TraceDialect dialect;

  /** Row of the line decoded last. */
  int row;

  /** Lane mask of the line decoded last. */
  int mask;

  /** Payload offset of the line decoded last, or {@link BlockTrace#NO_PAYLOAD}. */
  int payload;

  /** Told of each new row, so that doubts about it are reported once, with their place. */
  interface RowListener {
    /**
     * @param position of the opcode in the line
     * @param other another opcode that was met at the same PC, or null
     */
    void added(Instruction instruction, int position, String other) throws TraceFormatException;
  }

  InstructionDecoder(KernelHeader header, KernelCode code, CodeTable table, RowListener listener) {
    this.header = header;
    this.code = code;
    this.table = table;
    this.opcodes = OpcodeTable.forBinaryVersion(header.binaryVersion());
    this.listener = listener;
    this.dialect = header.dialect();
  }

  /** Whether a row is an LDGSTS, which the tracer writes as two lines. */
  boolean copiesToShared(int codeRow) {
    return copies[codeRow];
  }

  /** Decodes a line, its payload going to the end of a block's data; sets the result fields. */
  void decode(byte[] b, int from, int end, BlockTrace into)
      throws LineSyntaxException, TraceFormatException {
    in.reset(b, from, end);
    int sourceLine = header.lineInfo() ? (int) in.decimal("a source line number") : 0;
    int pc = in.pc();
    mask = in.laneMask();
    int body = in.at;
    if (!known(b, pc, sourceLine, into)) {
      in.at = body;
      define(b, pc, sourceLine, into);
      in.at = body;
      if (!known(b, pc, sourceLine, into)) {
        throw new LineSyntaxException(body, "an instruction");
      }
    }
  }

  private boolean known(byte[] b, int pc, int sourceLine, BlockTrace into)
      throws LineSyntaxException {
    int body = in.at;
    for (int r = firstRow(pc); r != NONE; r = nextSamePc[r]) {
      byte[] key = bodies[r];
      int end = body + key.length;
      if (end > in.to || !Arrays.equals(b, body, end, key, 0, key.length)) {
        continue;
      }
      if (header.lineInfo() && table.get(r).sourceLine() != sourceLine) {
        continue;
      }
      int start = into.dataSize;
      if (kinds[r] == STATIC && !hasValues[r]) {
        if (end != in.to) {
          continue;
        }
        payload = BlockTrace.NO_PAYLOAD;
      } else {
        payload = start;
        in.at = end;
        if (kinds[r] == ADDRESSES) {
          addresses(into);
        } else if (kinds[r] == BULK) {
          bulk(into);
        }
        byte[] tail = tails[r];
        int tailEnd = in.at + tail.length;
        if (tailEnd > in.to || !Arrays.equals(b, in.at, tailEnd, tail, 0, tail.length)) {
          into.dataSize = start;
          continue;
        }
        in.at = tailEnd;
        if (hasValues[r]) {
          values(into, kinds[r] == STATIC ? NONE : start);
        } else if (tailEnd != in.to) {
          into.dataSize = start;
          continue;
        }
      }
      row = r;
      return true;
    }
    return false;
  }

  /** Takes a line apart and adds its row. */
  private void define(byte[] b, int pc, int sourceLine, BlockTrace into)
      throws LineSyntaxException, TraceFormatException {
    int body = in.at;
    int[] destinations = registers("number of destinations");
    int opcodeAt = in.at;
    String text = in.word("an opcode");
    if (!isOpcode(text)) {
      throw new LineSyntaxException(opcodeAt, "an opcode");
    }
    Opcode opcode = opcodes.lookup(text);
    int[] sources = registers("number of sources");
    recorded.begin(text);
    dialect.readOperands(in, recorded);
    int widthAt = in.at;
    long width = in.decimal("a memory width");
    if (width < 0 || width > 1 << 20) {
      throw new LineSyntaxException(widthAt, "a memory width in bytes");
    }
    int bodyEnd = in.at;
    byte kind = STATIC;
    if (width > 0) {
      int start = into.dataSize;
      if (dialect.recordsBulkCopy(opcode.name())) {
        kind = BULK;
        bulk(into);
      } else {
        kind = ADDRESSES;
        addresses(into);
      }
      into.dataSize = start;
    }
    int tailStart = in.at;
    dialect.readTail(in, recorded);
    boolean values = recorded.values;
    int tailEnd = in.at;
    if (tailEnd != in.to && !values) {
      throw new LineSyntaxException(tailEnd, "end of line");
    }
    KernelCode found = code != null && agrees(code.disassembly(pc), opcode) ? code : null;
    Instruction instruction =
        new Instruction(
            table.size(),
            pc,
            source(found, pc, sourceLine),
            text,
            opcode,
            destinations,
            sources,
            (int) width,
            recorded.immediate,
            recorded.immediate2,
            recorded.commitsGroup,
            found == null ? ControlBits.ABSENT : found.control(pc),
            found == null ? 0 : found.low(pc),
            found == null ? 0 : found.high(pc),
            found == null ? null : found.disassembly(pc),
            found == null ? null : found.constant(pc));
    listener.added(instruction, opcodeAt, otherOpcode(pc, text));
    table.add(instruction);
    remember(
        instruction,
        kind,
        values,
        Arrays.copyOfRange(b, body, kind == STATIC ? tailEnd : bodyEnd),
        kind == STATIC ? new byte[0] : Arrays.copyOfRange(b, tailStart, tailEnd));
  }

  /** What the code says, unless the trace says another line. */
  private Supplier<SourcePlace> source(KernelCode found, int pc, int recorded) {
    if (!header.lineInfo()) {
      return found == null ? null : () -> found.source(pc);
    }
    SourcePlace compiled = found == null ? null : found.source(pc);
    boolean same = compiled != null && compiled.line() == recorded;
    SourcePlace place = same ? compiled : SourcePlace.ofLine(recorded);
    return () -> place;
  }

  private String otherOpcode(int pc, String text) {
    for (int r = firstRow(pc); r != NONE; r = nextSamePc[r]) {
      String known = table.get(r).text();
      if (!known.equals(text)) {
        return known;
      }
    }
    return null;
  }

  /**
   * Whether the listing has the same opcode at this PC. It has not for an instruction of a called
   * function, whose PCs count from that function's own start.
   */
  static boolean agrees(String disassembly, Opcode opcode) {
    if (disassembly == null) {
      return true;
    }
    int from = disassembly.startsWith("@") ? disassembly.indexOf(' ') + 1 : 0;
    return disassembly.startsWith(opcode.name(), from);
  }

  private void remember(
      Instruction instruction, byte kind, boolean values, byte[] body, byte[] tail) {
    int r = instruction.row();
    if (r == bodies.length) {
      int longer = r * 2;
      pcs = Arrays.copyOf(pcs, longer);
      bodies = Arrays.copyOf(bodies, longer);
      tails = Arrays.copyOf(tails, longer);
      kinds = Arrays.copyOf(kinds, longer);
      hasValues = Arrays.copyOf(hasValues, longer);
      copies = Arrays.copyOf(copies, longer);
      nextSamePc = Arrays.copyOf(nextSamePc, longer);
    }
    pcs[r] = instruction.pc();
    bodies[r] = body;
    tails[r] = tail;
    kinds[r] = kind;
    hasValues[r] = values;
    copies[r] = instruction.opcode().name().equals("LDGSTS");
    if (r * 2 >= rowOfPc.length) {
      rowOfPc = new int[rowOfPc.length * 4];
      for (int i = 0; i < r; i++) {
        link(i);
      }
    }
    link(r);
  }

  private void link(int r) {
    int pc = pcs[r];
    int slot = slot(pc);
    while (rowOfPc[slot] != 0 && pcs[rowOfPc[slot] - 1] != pc) {
      slot = slot + 1 & rowOfPc.length - 1;
    }
    nextSamePc[r] = rowOfPc[slot] - 1;
    rowOfPc[slot] = r + 1;
  }

  private int firstRow(int pc) {
    int slot = slot(pc);
    while (true) {
      int r = rowOfPc[slot] - 1;
      if (r == NONE || pcs[r] == pc) {
        return r;
      }
      slot = slot + 1 & rowOfPc.length - 1;
    }
  }

  private int slot(int pc) {
    return (pc >>> 3 ^ pc >>> 17) & rowOfPc.length - 1;
  }

  private void addresses(BlockTrace into) throws LineSyntaxException {
    int modeAt = in.at;
    int mode = (int) in.decimal("an address mode");
    int lanes = Integer.bitCount(mask);
    int base = into.dataSize;
    if (mode == 1) {
      long[] data = into.room(3);
      data[base] = Payload.header(Payload.STRIDE, 3);
      data[base + 1] = in.hex();
      data[base + 2] = in.decimal("a stride");
      into.dataSize = base + 3;
    } else if (mode == 2 || mode == 0) {
      long[] data = into.room(lanes + 1);
      data[base] = Payload.header(Payload.LIST, lanes + 1);
      long address = 0;
      if (mode == 2) {
        address = in.hex();
      }
      for (int lane = 0; lane < lanes; lane++) {
        if (mode == 0) {
          address = in.hex();
        } else if (lane > 0) {
          address += in.decimal("an address difference");
        }
        data[base + 1 + lane] = address;
      }
      into.dataSize = base + lanes + 1;
    } else {
      throw new LineSyntaxException(modeAt, "an address mode 0, 1 or 2");
    }
  }

  private void bulk(BlockTrace into) throws LineSyntaxException {
    int base = into.dataSize;
    long[] data = into.room(5);
    data[base + 1] = in.hex();
    boolean multicast = in.decimal("a multicast flag") != 0;
    data[base + 2] = multicast ? in.hex() : 0;
    data[base + 3] = in.decimal("a byte count");
    data[base + 4] = in.decimal("an out-of-bounds byte count");
    int size = 5;
    int modeAt = in.at;
    int mode = (int) in.decimal("an address mode");
    if (mode != 3 && mode != 4) {
      throw new LineSyntaxException(modeAt, "an address mode 3 or 4");
    }
    long address = mode == 4 ? in.hex() : 0;
    int countAt = in.at;
    long count = in.decimal("a sector count");
    if (count < 0 || count > in.to - countAt) {
      throw new LineSyntaxException(countAt, "a sector count that the line can hold");
    }
    // Sectors become runs of one stride: (first address, stride, count).
    int run = 0;
    long previous = 0;
    for (long i = 0; i < count; i++) {
      if (mode == 3) {
        address = in.hex();
      } else if (i > 0) {
        address += in.decimal("an address difference");
      }
      long step = address - previous;
      if (run != 0 && (data[run + 2] == 1 || data[run + 1] == step)) {
        data[run + 1] = step;
        data[run + 2]++;
      } else {
        data = into.room(size + 3);
        run = base + size;
        data[run] = address;
        data[run + 1] = 0;
        data[run + 2] = 1;
        size += 3;
      }
      previous = address;
    }
    data[base] = Payload.header(Payload.BULK, size);
    into.dataSize = base + size;
  }

  /** Recorded register values, to the end of the line; chained to a payload before them. */
  private void values(BlockTrace into, int previous) throws LineSyntaxException {
    int base = into.dataSize;
    long[] data = into.room(1);
    int size = 1;
    while (in.at < in.to) {
      int countAt = in.at;
      long count = in.decimal("a value count");
      if (count != 1 && count != 32) {
        throw new LineSyntaxException(countAt, "a value count of 1 or 32");
      }
      data = into.room(size + 1 + (int) count);
      data[base + size++] = count;
      for (int i = 0; i < count; i++) {
        data[base + size++] = in.hex();
      }
    }
    data[base] = Payload.header(Payload.VALUES, size);
    if (previous != NONE) {
      data[previous] |= Payload.HAS_NEXT;
    }
    into.dataSize = base + size;
  }

  private int[] registers(String what) throws LineSyntaxException {
    int countAt = in.at;
    long count = in.decimal("a " + what);
    if (count < 0 || count > in.to - countAt) {
      throw new LineSyntaxException(countAt, "a " + what);
    }
    int[] numbers = new int[(int) count];
    int regular = 0;
    for (int i = 0; i < count; i++) {
      int wordAt = in.at;
      String word = in.word("a register such as R12");
      if (word.equals("RZ")) {
        numbers[regular++] = 255;
      } else if (word.startsWith("R") && isNumber(word, 1)) {
        int number = Integer.parseInt(word.substring(1));
        if (number > 255) {
          throw new LineSyntaxException(wordAt, "a register from R0 to R255");
        }
        numbers[regular++] = number;
      } else if (!isUniformOrPredicate(word)) {
        throw new LineSyntaxException(wordAt, "a register such as R12");
      }
    }
    return Arrays.copyOf(numbers, regular);
  }

  /** Whether a word ends with up to three digits, which begin at such a place. */
  private static boolean isNumber(String word, int from) {
    for (int i = from; i < word.length(); i++) {
      if (word.charAt(i) < '0' || word.charAt(i) > '9') {
        return false;
      }
    }
    return word.length() > from && word.length() <= from + 3;
  }

  /** Whether a word is UR, P or UP with a number, Z or T. */
  private static boolean isUniformOrPredicate(String word) {
    int from = word.startsWith("UR") || word.startsWith("UP") ? 2 : 1;
    boolean named = from == 2 || word.startsWith("P");
    boolean fixed = word.length() == from + 1 && "ZT".indexOf(word.charAt(from)) >= 0;
    return named && (fixed || isNumber(word, from));
  }

  private static boolean isOpcode(String word) {
    char first = word.charAt(0);
    return first >= 'A' && first <= 'Z';
  }

  /** Whether a memory opcode must have recorded addresses. */
  static boolean needsAddresses(Opcode opcode) {
    return opcode.known()
        && (opcode.space() == MemorySpace.GLOBAL
            || opcode.space() == MemorySpace.LOCAL
            || opcode.space() == MemorySpace.SHARED
            || opcode.space() == MemorySpace.GENERIC);
  }
}
