package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.ControlBits;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.MemorySpace;
import dev.warpline.isa.Opcode;
import dev.warpline.isa.OpcodeTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

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

  private static final Set<String> BULK_OPCODES =
      Set.of("UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG", "UBLKCP", "UBLKPF", "UBLKRED");

  private static final byte[] HEX = hexDigits();

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

  /** Where the next token begins, and where the line ends. */
  private int at;

  private int to;

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
  }

  /** Whether a row is an LDGSTS, which the tracer writes as two lines. */
  boolean copiesToShared(int codeRow) {
    return copies[codeRow];
  }

  /** Decodes a line, its payload going to the end of a block's data; sets the result fields. */
  void decode(byte[] b, int from, int end, BlockTrace into)
      throws LineSyntaxException, TraceFormatException {
    at = from;
    to = end;
    int sourceLine = header.lineInfo() ? (int) decimal(b, "a source line number") : 0;
    int pc = pc(b);
    mask = laneMask(b);
    int body = at;
    if (!known(b, pc, sourceLine, into)) {
      at = body;
      define(b, pc, sourceLine, into);
      at = body;
      if (!known(b, pc, sourceLine, into)) {
        throw new LineSyntaxException(body, "an instruction");
      }
    }
  }

  private boolean known(byte[] b, int pc, int sourceLine, BlockTrace into)
      throws LineSyntaxException {
    int body = at;
    for (int r = firstRow(pc); r != NONE; r = nextSamePc[r]) {
      byte[] key = bodies[r];
      int end = body + key.length;
      if (end > to || !Arrays.equals(b, body, end, key, 0, key.length)) {
        continue;
      }
      if (header.lineInfo() && table.get(r).sourceLine() != sourceLine) {
        continue;
      }
      int start = into.dataSize;
      if (kinds[r] == STATIC && !hasValues[r]) {
        if (end != to) {
          continue;
        }
        payload = BlockTrace.NO_PAYLOAD;
      } else {
        payload = start;
        at = end;
        if (kinds[r] == ADDRESSES) {
          addresses(b, into);
        } else if (kinds[r] == BULK) {
          bulk(b, into);
        }
        byte[] tail = tails[r];
        int tailEnd = at + tail.length;
        if (tailEnd > to || !Arrays.equals(b, at, tailEnd, tail, 0, tail.length)) {
          into.dataSize = start;
          continue;
        }
        at = tailEnd;
        if (hasValues[r]) {
          values(b, into, kinds[r] == STATIC ? NONE : start);
        } else if (tailEnd != to) {
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
    int body = at;
    int[] destinations = registers(b, "number of destinations");
    int opcodeAt = at;
    String text = word(b, "an opcode");
    if (!isOpcode(text)) {
      throw new LineSyntaxException(opcodeAt, "an opcode");
    }
    Opcode opcode = opcodes.lookup(text);
    int[] sources = registers(b, "number of sources");
    boolean commits = false;
    if (header.tracerVersion() >= 6 && text.contains("GMMA")) {
      commits = decimal(b, "a commit flag") != 0;
    }
    int widthAt = at;
    long width = decimal(b, "a memory width");
    if (width < 0 || width > 1 << 20) {
      throw new LineSyntaxException(widthAt, "a memory width in bytes");
    }
    int bodyEnd = at;
    byte kind = STATIC;
    if (width > 0) {
      int start = into.dataSize;
      if (header.tracerVersion() >= 6 && BULK_OPCODES.contains(opcode.name())) {
        kind = BULK;
        bulk(b, into);
      } else {
        kind = ADDRESSES;
        addresses(b, into);
      }
      into.dataSize = start;
    }
    int tailStart = at;
    long immediate = at < to ? decimal(b, "an immediate") : 0;
    long immediate2 = 0;
    boolean values = false;
    if (header.tracerVersion() >= 6) {
      immediate2 = at < to ? decimal(b, "a second immediate") : 0;
      if (at < to) {
        int wordAt = at;
        String word = word(b, "Val or NoVal");
        values = word.equals("Val");
        if (!values && !word.equals("NoVal")) {
          throw new LineSyntaxException(wordAt, "Val or NoVal");
        }
      }
    }
    int tailEnd = at;
    if (tailEnd != to && !values) {
      throw new LineSyntaxException(tailEnd, "end of line");
    }
    KernelCode found = code != null && agrees(code.disassembly(pc), opcode) ? code : null;
    Instruction instruction =
        new Instruction(
            table.size(),
            pc,
            sourceLine,
            text,
            opcode,
            destinations,
            sources,
            (int) width,
            immediate,
            immediate2,
            commits,
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

  private void addresses(byte[] b, BlockTrace into) throws LineSyntaxException {
    int modeAt = at;
    int mode = (int) decimal(b, "an address mode");
    int lanes = Integer.bitCount(mask);
    int base = into.dataSize;
    if (mode == 1) {
      long[] data = into.room(3);
      data[base] = Payload.header(Payload.STRIDE, 3);
      data[base + 1] = hex(b);
      data[base + 2] = decimal(b, "a stride");
      into.dataSize = base + 3;
    } else if (mode == 2 || mode == 0) {
      long[] data = into.room(lanes + 1);
      data[base] = Payload.header(Payload.LIST, lanes + 1);
      long address = 0;
      if (mode == 2) {
        address = hex(b);
      }
      for (int lane = 0; lane < lanes; lane++) {
        if (mode == 0) {
          address = hex(b);
        } else if (lane > 0) {
          address += decimal(b, "an address difference");
        }
        data[base + 1 + lane] = address;
      }
      into.dataSize = base + lanes + 1;
    } else {
      throw new LineSyntaxException(modeAt, "an address mode 0, 1 or 2");
    }
  }

  private void bulk(byte[] b, BlockTrace into) throws LineSyntaxException {
    int base = into.dataSize;
    long[] data = into.room(5);
    data[base + 1] = hex(b);
    boolean multicast = decimal(b, "a multicast flag") != 0;
    data[base + 2] = multicast ? hex(b) : 0;
    data[base + 3] = decimal(b, "a byte count");
    data[base + 4] = decimal(b, "an out-of-bounds byte count");
    int size = 5;
    int modeAt = at;
    int mode = (int) decimal(b, "an address mode");
    if (mode != 3 && mode != 4) {
      throw new LineSyntaxException(modeAt, "an address mode 3 or 4");
    }
    long address = mode == 4 ? hex(b) : 0;
    int countAt = at;
    long count = decimal(b, "a sector count");
    if (count < 0 || count > to - countAt) {
      throw new LineSyntaxException(countAt, "a sector count that the line can hold");
    }
    // Sectors become runs of one stride: (first address, stride, count).
    int run = 0;
    long previous = 0;
    for (long i = 0; i < count; i++) {
      if (mode == 3) {
        address = hex(b);
      } else if (i > 0) {
        address += decimal(b, "an address difference");
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
  private void values(byte[] b, BlockTrace into, int previous) throws LineSyntaxException {
    int base = into.dataSize;
    long[] data = into.room(1);
    int size = 1;
    while (at < to) {
      int countAt = at;
      long count = decimal(b, "a value count");
      if (count != 1 && count != 32) {
        throw new LineSyntaxException(countAt, "a value count of 1 or 32");
      }
      data = into.room(size + 1 + (int) count);
      data[base + size++] = count;
      for (int i = 0; i < count; i++) {
        data[base + size++] = hex(b);
      }
    }
    data[base] = Payload.header(Payload.VALUES, size);
    if (previous != NONE) {
      data[previous] |= Payload.HAS_NEXT;
    }
    into.dataSize = base + size;
  }

  private int[] registers(byte[] b, String what) throws LineSyntaxException {
    int countAt = at;
    long count = decimal(b, "a " + what);
    if (count < 0 || count > to - countAt) {
      throw new LineSyntaxException(countAt, "a " + what);
    }
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int wordAt = at;
      String word = word(b, "a register such as R12");
      if (word.equals("RZ")) {
        numbers.add(255);
      } else if (word.matches("R\\d{1,3}")) {
        int number = Integer.parseInt(word.substring(1));
        if (number > 255) {
          throw new LineSyntaxException(wordAt, "a register from R0 to R255");
        }
        numbers.add(number);
      } else if (!word.matches("(UR|P|UP)(\\d{1,3}|Z|T)")) {
        throw new LineSyntaxException(wordAt, "a register such as R12");
      }
    }
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  private static boolean isOpcode(String word) {
    char first = word.charAt(0);
    return first >= 'A' && first <= 'Z';
  }

  private String word(byte[] b, String expected) throws LineSyntaxException {
    int from = at;
    int p = from;
    while (p < to && (b[p] > ' ' || b[p] < 0)) {
      p++;
    }
    if (p <= from) {
      throw new LineSyntaxException(from, expected);
    }
    advance(b, p);
    return new String(b, from, p - from, StandardCharsets.ISO_8859_1);
  }

  /** Moves over the blanks that end a token, never past the line. */
  private void advance(byte[] b, int end) {
    int p = end;
    while (p < to && b[p] <= ' ' && b[p] >= 0) {
      p++;
    }
    at = p;
  }

  private int pc(byte[] b) throws LineSyntaxException {
    int p = at;
    long value = 0;
    int digit;
    while ((digit = HEX[b[p] & 0xff]) >= 0) {
      value = value << 4 | digit;
      p++;
    }
    if (p == at || p - at > 8 || p >= to || b[p] > ' ' || b[p] < 0) {
      throw new LineSyntaxException(at, "a PC of up to 8 hexadecimal digits");
    }
    advance(b, p);
    return (int) value;
  }

  private int laneMask(byte[] b) throws LineSyntaxException {
    int p = at;
    int value = 0;
    int digit;
    while ((digit = HEX[b[p] & 0xff]) >= 0) {
      value = value << 4 | digit;
      p++;
    }
    if (p - at != 8 || p >= to || b[p] > ' ' || b[p] < 0) {
      throw new LineSyntaxException(at, "a lane mask of 8 hexadecimal digits");
    }
    advance(b, p);
    return value;
  }

  private long hex(byte[] b) throws LineSyntaxException {
    int p = at;
    if (p + 1 < to && b[p] == '0' && b[p + 1] == 'x') {
      p += 2;
    }
    int first = p;
    long value = 0;
    int digit;
    while ((digit = HEX[b[p] & 0xff]) >= 0) {
      value = value << 4 | digit;
      p++;
    }
    if (p == first || p - first > 16 || at >= to || b[p] > ' ' || b[p] < 0) {
      throw new LineSyntaxException(at, "an address in hexadecimal");
    }
    advance(b, p);
    return value;
  }

  private long decimal(byte[] b, String expected) throws LineSyntaxException {
    int p = at;
    boolean negative = b[p] == '-';
    if (negative) {
      p++;
    }
    int first = p;
    long value = 0;
    int digit;
    while ((digit = b[p] - '0') >= 0 && digit <= 9) {
      value = value * 10 + digit;
      p++;
    }
    if (p == first || p - first > 20 || at >= to || b[p] > ' ' || b[p] < 0) {
      throw new LineSyntaxException(at, expected);
    }
    advance(b, p);
    return negative ? -value : value;
  }

  private static byte[] hexDigits() {
    byte[] digits = new byte[256];
    Arrays.fill(digits, (byte) -1);
    for (int i = 0; i < 10; i++) {
      digits['0' + i] = (byte) i;
    }
    for (int i = 0; i < 6; i++) {
      digits['a' + i] = (byte) (10 + i);
      digits['A' + i] = (byte) (10 + i);
    }
    return digits;
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
