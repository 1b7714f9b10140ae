package dev.warpline.trace.code;

import dev.warpline.isa.SourcePlace;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A section of DWARF line programs (versions 2 to 4), as ptxas writes them: addresses are filled in
 * by relocation, and two operations of NVIDIA's say which call a line was inlined by.
 */
final class LineProgram {
  private static final int COPY = 1;
  private static final int ADVANCE_PC = 2;
  private static final int ADVANCE_LINE = 3;
  private static final int SET_FILE = 4;
  private static final int CONSTANT_ADD_PC = 8;
  private static final int FIXED_ADVANCE_PC = 9;
  private static final int END_SEQUENCE = 1;
  private static final int SET_ADDRESS = 2;
  private static final int INLINED_CALL = 0x90;

  /** Where a function begins: its code section and the offset there. */
  private record Start(int section, int offset) {}

  private final Elf elf;
  private final String name;
  private final String file;
  private final ByteBuffer in;
  private final ByteBuffer names;
  private final Map<Integer, Start> starts = new HashMap<>();
  private final Map<Integer, NavigableMap<Integer, SourcePlace>> found = new HashMap<>();

  private final List<String> folders = new ArrayList<>();
  private final List<String> files = new ArrayList<>();

  private LineProgram(Elf elf, Elf.Section section, String file) throws CodeFormatException {
    this.elf = elf;
    this.name = section.name();
    this.file = file;
    in = elf.content(section);
    Elf.Section strings = elf.section(".debug_str");
    names = strings == null ? ByteBuffer.allocate(0) : elf.content(strings);
    relocations(".rela" + name, 24);
    relocations(".rel" + name, 16);
  }

  /**
   * Places by code section and first PC.
   *
   * @param name the section with the programs; nothing is found where there is none
   */
  static Map<Integer, NavigableMap<Integer, SourcePlace>> read(Elf elf, String name, String file)
      throws CodeFormatException {
    Elf.Section section = elf.section(name);
    if (section == null) {
      return Map.of();
    }
    LineProgram program = new LineProgram(elf, section, file);
    try {
      while (program.in.hasRemaining()) {
        program.unit();
      }
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new CodeFormatException(
          file, name + " that ends inside an operation at byte " + program.in.position(), "more");
    }
    return program.found;
  }

  private void relocations(String section, int bytes) throws CodeFormatException {
    Elf.Section table = elf.section(section);
    if (table == null) {
      return;
    }
    ByteBuffer entries = elf.content(table);
    for (int at = 0; at + bytes <= entries.limit(); at += bytes) {
      long symbol = entries.getLong(at + 8) >>> 32;
      if (symbol < elf.symbols().size()) {
        Elf.Symbol target = elf.symbols().get((int) symbol);
        long addend = bytes == 24 ? entries.getLong(at + 16) : 0;
        starts.put(
            (int) entries.getLong(at),
            new Start(target.section(), (int) (target.value() + addend)));
      }
    }
  }

  private void unit() throws CodeFormatException {
    int begin = in.position();
    long length = Integer.toUnsignedLong(in.getInt());
    if (length > in.remaining()) {
      throw new CodeFormatException(
          file,
          name + " with a unit of " + length + " bytes at byte " + begin,
          "at most " + in.remaining());
    }
    int end = in.position() + (int) length;
    int version = in.getShort();
    if (version < 2 || version > 4) {
      throw new CodeFormatException(file, name + " of DWARF version " + version, "2 to 4");
    }
    int headerBytes = in.getInt();
    int program = in.position() + headerBytes;
    int step = Byte.toUnsignedInt(in.get());
    if (version == 4) {
      in.get(); // operations of a long instruction word
    }
    in.get(); // whether lines begin statements
    int base = in.get();
    int range = Byte.toUnsignedInt(in.get());
    int firstSpecial = Byte.toUnsignedInt(in.get());
    if (range == 0 || firstSpecial == 0 || program < in.position() || program > end) {
      throw new CodeFormatException(file, name + " with a damaged header at byte " + begin, "one");
    }
    int[] operands = new int[firstSpecial];
    for (int i = 1; i < firstSpecial; i++) {
      operands[i] = in.get();
    }
    files(program);
    in.position(program);
    while (in.position() < end) {
      sequence(end, step, base, range, firstSpecial, operands);
    }
  }

  private void files(int end) {
    folders.clear();
    files.clear();
    folders.add("");
    files.add(null);
    for (String folder = text(in); !folder.isEmpty(); folder = text(in)) {
      folders.add(folder);
    }
    // ptxas leaves both lists empty where PTX is meant, without the end of the second.
    while (in.position() < end) {
      String one = text(in);
      if (one.isEmpty()) {
        break;
      }
      int folder = (int) number();
      number(); // time
      number(); // size
      String in1 = folder < folders.size() ? folders.get(folder) : "";
      files.add(in1.isEmpty() || one.startsWith("/") ? one : in1 + "/" + one);
    }
  }

  /** One function. Rows are counted, because a call is named by its row. */
  private void sequence(int end, int step, int base, int range, int firstSpecial, int[] operands) {
    List<SourcePlace> rows = new ArrayList<>();
    rows.add(null);
    NavigableMap<Integer, SourcePlace> into = null;
    int pc = 0;
    int line = 1;
    int fileNumber = 1;
    int call = 0;
    String function = null;
    while (in.position() < end) {
      int code = Byte.toUnsignedInt(in.get());
      boolean row = false;
      if (code >= firstSpecial) {
        pc += step * ((code - firstSpecial) / range);
        line += base + (code - firstSpecial) % range;
        row = true;
      } else if (code == 0) {
        int length = (int) number();
        int next = in.position() + length;
        int extended = length == 0 ? 0 : Byte.toUnsignedInt(in.get());
        if (extended == END_SEQUENCE) {
          if (into != null) {
            into.putIfAbsent(pc, new SourcePlace(null, 0, null, null, null));
          }
          in.position(next);
          return;
        } else if (extended == SET_ADDRESS) {
          Start start = starts.get(in.position());
          pc = start == null ? (int) in.getLong() : start.offset;
          into = start == null ? null : found.computeIfAbsent(start.section, k -> new TreeMap<>());
        } else if (extended == INLINED_CALL) {
          call = (int) number();
          int at = (int) number();
          function = call == 0 || at >= names.limit() ? null : text(names.position(at));
        }
        in.position(next);
      } else if (code == COPY) {
        row = true;
      } else if (code == ADVANCE_PC) {
        pc += step * (int) number();
      } else if (code == ADVANCE_LINE) {
        line += (int) signed();
      } else if (code == SET_FILE) {
        fileNumber = (int) number();
      } else if (code == CONSTANT_ADD_PC) {
        pc += step * ((255 - firstSpecial) / range);
      } else if (code == FIXED_ADVANCE_PC) {
        pc += Short.toUnsignedInt(in.getShort());
      } else {
        for (int i = 0; i < operands[code]; i++) {
          number();
        }
      }
      if (row) {
        SourcePlace caller = call > 0 && call < rows.size() ? rows.get(call) : null;
        SourcePlace place =
            new SourcePlace(
                fileNumber > 0 && fileNumber < files.size() ? files.get(fileNumber) : null,
                line,
                caller == null ? null : function,
                caller,
                null);
        rows.add(place);
        if (into != null) {
          into.put(pc, place);
        }
      }
    }
  }

  private long number() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private long signed() {
    long value = 0;
    int shift = 0;
    byte next;
    do {
      next = in.get();
      value |= (long) (next & 0x7f) << shift;
      shift += 7;
    } while (next < 0);
    return (next & 0x40) != 0 && shift < 64 ? value | -1L << shift : value;
  }

  private static String text(ByteBuffer from) {
    int begin = from.position();
    while (from.get() != 0) {
      // goes on to the end of the text
    }
    byte[] bytes = new byte[from.position() - begin - 1];
    from.get(begin, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
