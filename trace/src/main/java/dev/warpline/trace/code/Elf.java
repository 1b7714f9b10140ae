package dev.warpline.trace.code;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The sections and symbols of a 64-bit little-endian ELF file. Every offset is checked. */
final class Elf {
  static final int NOBITS = 8;

  private static final int HEADER_BYTES = 64;
  private static final int SECTION_BYTES = 64;
  private static final int SYMBOL_BYTES = 24;
  private static final int SYMTAB = 2;
  private static final int RELA = 4;
  private static final int REL = 9;
  private static final int RELA_BYTES = 24;
  private static final int REL_BYTES = 16;

  /** A section; {@code size} counts memory, which has no bytes in the file for NOBITS. */
  record Section(String name, int type, long offset, long size, int link, int info) {}

  /** A symbol; {@code type} 2 is a function. */
  record Symbol(String name, int type, int section, long value, long size) {}

  /** A place in a section that gets the address of a symbol when the code is loaded. */
  record Relocation(Section section, long offset, int type, Symbol symbol, long addend) {}

  private final String file;
  private final ByteBuffer bytes;
  private final List<Section> sections = new ArrayList<>();
  private final List<Symbol> symbols = new ArrayList<>();

  Elf(byte[] content, String file) throws CodeFormatException {
    this.file = file;
    this.bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    if (content.length < HEADER_BYTES || bytes.getInt(0) != 0x464c457f) {
      throw new CodeFormatException(file, "no ELF header", "a cubin (ELF64)");
    }
    if (content[4] != 2 || content[5] != 1) {
      throw new CodeFormatException(
          file, "ELF class " + content[4] + ", byte order " + content[5], "ELF64, little endian");
    }
    readSections();
    readSymbols();
  }

  int machine() {
    return Short.toUnsignedInt(bytes.getShort(18));
  }

  int flags() {
    return bytes.getInt(48);
  }

  int abiVersion() {
    return Byte.toUnsignedInt(bytes.get(8));
  }

  List<Section> sections() {
    return sections;
  }

  /** The first section of a name, or null. */
  Section section(String name) {
    return sections.stream().filter(one -> one.name.equals(name)).findFirst().orElse(null);
  }

  List<Symbol> symbols() {
    return symbols;
  }

  /** A little-endian view of a section's bytes. */
  ByteBuffer content(Section section) throws CodeFormatException {
    if (section.type == NOBITS) {
      return ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);
    }
    return slice("section " + section.name, section.offset, section.size);
  }

  private void readSections() throws CodeFormatException {
    long table = bytes.getLong(40);
    int count = Short.toUnsignedInt(bytes.getShort(60));
    int names = Short.toUnsignedInt(bytes.getShort(62));
    ByteBuffer headers = slice("section table", table, (long) count * SECTION_BYTES);
    if (names >= count) {
      throw new CodeFormatException(
          file, "name section " + names + " of " + count, "a section number below " + count);
    }
    ByteBuffer strings =
        slice(
            "section names",
            headers.getLong(names * SECTION_BYTES + 24),
            headers.getLong(names * SECTION_BYTES + 32));
    for (int i = 0; i < count; i++) {
      int at = i * SECTION_BYTES;
      sections.add(
          new Section(
              string(strings, headers.getInt(at)),
              headers.getInt(at + 4),
              headers.getLong(at + 24),
              headers.getLong(at + 32),
              headers.getInt(at + 40),
              headers.getInt(at + 44)));
    }
  }

  private void readSymbols() throws CodeFormatException {
    for (Section section : sections) {
      if (section.type != SYMTAB) {
        continue;
      }
      if (section.link < 0 || section.link >= sections.size()) {
        throw new CodeFormatException(
            file, "symbol names in section " + section.link, "below " + sections.size());
      }
      ByteBuffer strings = content(sections.get(section.link));
      ByteBuffer table = content(section);
      for (int at = 0; at + SYMBOL_BYTES <= table.limit(); at += SYMBOL_BYTES) {
        symbols.add(
            new Symbol(
                string(strings, table.getInt(at)),
                table.get(at + 4) & 15,
                Short.toUnsignedInt(table.getShort(at + 6)),
                table.getLong(at + 8),
                table.getLong(at + 16)));
      }
    }
  }

  /** The places that get addresses when the code is loaded, but for those of debug sections. */
  List<Relocation> relocations() throws CodeFormatException {
    List<Relocation> found = new ArrayList<>();
    for (Section table : sections) {
      boolean added = table.type == RELA;
      if (!added && table.type != REL || table.name.contains(".debug_")) {
        continue;
      }
      if (table.info < 0 || table.info >= sections.size()) {
        throw new CodeFormatException(
            file, "relocations of section " + table.info, "below " + sections.size());
      }
      ByteBuffer entries = content(table);
      int size = added ? RELA_BYTES : REL_BYTES;
      for (int at = 0; at + size <= entries.limit(); at += size) {
        int symbol = entries.getInt(at + 12);
        if (symbol < 0 || symbol >= symbols.size()) {
          throw new CodeFormatException(
              file, "a relocation with symbol " + symbol, "below " + symbols.size());
        }
        found.add(
            new Relocation(
                sections.get(table.info),
                entries.getLong(at),
                entries.getInt(at + 8),
                symbols.get(symbol),
                added ? entries.getLong(at + 16) : 0));
      }
    }
    return found;
  }

  private ByteBuffer slice(String what, long offset, long size) throws CodeFormatException {
    if (offset < 0 || size < 0 || offset > bytes.limit() || size > bytes.limit() - offset) {
      throw new CodeFormatException(
          file,
          what + " at " + offset + " with " + size + " bytes",
          "an extent inside the file's " + bytes.limit() + " bytes");
    }
    return bytes.slice((int) offset, (int) size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private String string(ByteBuffer strings, int offset) throws CodeFormatException {
    if (offset < 0 || offset > strings.limit()) {
      throw new CodeFormatException(
          file, "a name at offset " + offset, "an offset up to " + strings.limit());
    }
    int end = offset;
    while (end < strings.limit() && strings.get(end) != 0) {
      end++;
    }
    byte[] name = new byte[end - offset];
    strings.get(offset, name);
    return new String(name, StandardCharsets.UTF_8);
  }
}
