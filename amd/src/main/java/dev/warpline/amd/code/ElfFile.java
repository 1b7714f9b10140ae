package dev.warpline.amd.code;

import java.util.ArrayList;
import java.util.List;

/** The parts of an ELF64 file that a loader needs: segments, symbols, relocations, notes. */
final class ElfFile {
  static final int PT_LOAD = 1;
  static final int PT_DYNAMIC = 2;
  static final int PT_NOTE = 4;

  private static final int EM_AMDGPU = 224;
  private static final int ET_DYN = 3;
  private static final int SHT_SYMTAB = 2;
  private static final int SHT_DYNSYM = 11;
  private static final int DT_RELA = 7;
  private static final int DT_RELASZ = 8;
  private static final int SYMBOL_SIZE = 24;
  private static final int RELA_SIZE = 24;

  /** A program header. */
  record Segment(
      int type, int flags, long fileOffset, long address, long fileSize, long memorySize) {
    boolean executable() {
      return (flags & 1) != 0;
    }
  }

  /** A symbol; section 0 means undefined. */
  record Symbol(String name, int type, int section, long address, long size) {}

  /** A dynamic relocation with addend. */
  record Relocation(long address, int type, int symbol, long addend) {}

  private final FileBytes bytes;
  private final int flags;
  private final int abiVersion;
  private final List<Segment> segments = new ArrayList<>();
  private final List<Symbol> dynamicSymbols = new ArrayList<>();
  private final List<Symbol> symbols = new ArrayList<>();

  ElfFile(FileBytes bytes) throws CodeObjectException {
    this.bytes = bytes;
    String file = bytes.file();
    if (bytes.size() < 64 || bytes.i32("ELF magic", 0) != 0x464c457f) {
      throw new CodeObjectException(file, "no ELF magic", "an AMD code object");
    }
    if (bytes.u8("class", 4) != 2 || bytes.u8("data encoding", 5) != 1) {
      throw new CodeObjectException(
          file, "another ELF class or byte order", "64-bit little-endian ELF");
    }
    int machine = bytes.u16("machine", 18);
    if (machine != EM_AMDGPU) {
      throw new CodeObjectException(file, "ELF machine " + machine, "224 (AMDGPU)");
    }
    int type = bytes.u16("type", 16);
    if (type != ET_DYN) {
      throw new CodeObjectException(
          file,
          "ELF type " + type + (type == 1 ? " (not linked)" : ""),
          "3, a linked code object (ld.lld -shared)");
    }
    abiVersion = bytes.u8("ABI version", 8);
    flags = bytes.i32("flags", 48);
    readSegments();
    readSections();
  }

  int flags() {
    return flags;
  }

  int abiVersion() {
    return abiVersion;
  }

  List<Segment> segments() {
    return segments;
  }

  /** The dynamic symbols, in table order: relocations count them. */
  List<Symbol> dynamicSymbols() {
    return dynamicSymbols;
  }

  /** All symbols: the full table where the file is not stripped, else the dynamic ones. */
  List<Symbol> symbols() {
    return symbols.isEmpty() ? dynamicSymbols : symbols;
  }

  private void readSegments() throws CodeObjectException {
    long at = bytes.i64("program header offset", 32);
    int size = bytes.u16("program header size", 54);
    int count = bytes.u16("program header count", 56);
    if (count > 0 && size != 56) {
      throw new CodeObjectException(bytes.file(), "program headers of " + size + " bytes", "56");
    }
    for (int i = 0; i < count; i++) {
      long p = at + (long) i * size;
      Segment segment =
          new Segment(
              bytes.i32("program header", p),
              bytes.i32("program header", p + 4),
              bytes.i64("program header", p + 8),
              bytes.i64("program header", p + 16),
              bytes.i64("program header", p + 32),
              bytes.i64("program header", p + 40));
      bytes.range("segment " + i, segment.fileOffset, segment.fileSize);
      segments.add(segment);
    }
  }

  private void readSections() throws CodeObjectException {
    long at = bytes.i64("section header offset", 40);
    int size = bytes.u16("section header size", 58);
    int count = bytes.u16("section header count", 60);
    if (count > 0 && size != 64) {
      throw new CodeObjectException(bytes.file(), "section headers of " + size + " bytes", "64");
    }
    for (int i = 0; i < count; i++) {
      long s = at + (long) i * size;
      int type = bytes.i32("section header", s + 4);
      if (type == SHT_DYNSYM || type == SHT_SYMTAB) {
        long strings = at + bytes.u32("section header", s + 40) * size;
        readSymbols(s, strings, type == SHT_DYNSYM ? dynamicSymbols : symbols);
      }
    }
  }

  private void readSymbols(long section, long strings, List<Symbol> into)
      throws CodeObjectException {
    long start = bytes.i64("symbol table", section + 24);
    long length = bytes.i64("symbol table", section + 32);
    bytes.range("symbol table", start, length);
    long names = bytes.i64("string table", strings + 24);
    for (long s = start; s + SYMBOL_SIZE <= start + length; s += SYMBOL_SIZE) {
      into.add(
          new Symbol(
              bytes.text("symbol name", names + bytes.u32("symbol", s)),
              bytes.u8("symbol", s + 4) & 0xf,
              bytes.u16("symbol", s + 6),
              bytes.i64("symbol", s + 8),
              bytes.i64("symbol", s + 16)));
    }
  }

  /** The dynamic relocations with addends. */
  List<Relocation> relocations() throws CodeObjectException {
    long table = 0;
    long length = 0;
    for (Segment segment : segments) {
      if (segment.type != PT_DYNAMIC) {
        continue;
      }
      for (long at = 0; at + 16 <= segment.fileSize; at += 16) {
        long tag = bytes.i64("dynamic table", segment.fileOffset + at);
        long value = bytes.i64("dynamic table", segment.fileOffset + at + 8);
        if (tag == 0) {
          break;
        } else if (tag == DT_RELA) {
          table = value;
        } else if (tag == DT_RELASZ) {
          length = value;
        }
      }
    }
    List<Relocation> relocations = new ArrayList<>();
    if (length == 0) {
      return relocations;
    }
    long start = fileOffset("relocation table", table, length);
    for (long at = start; at + RELA_SIZE <= start + length; at += RELA_SIZE) {
      long info = bytes.i64("relocation", at + 8);
      relocations.add(
          new Relocation(
              bytes.i64("relocation", at),
              (int) info,
              (int) (info >>> 32),
              bytes.i64("relocation", at + 16)));
    }
    return relocations;
  }

  /** Where the bytes at a virtual address lie in the file. */
  long fileOffset(String what, long address, long length) throws CodeObjectException {
    for (Segment segment : segments) {
      long inside = address - segment.address;
      if (segment.type == PT_LOAD
          && inside >= 0
          && length >= 0
          && inside <= segment.fileSize
          && length <= segment.fileSize - inside) {
        return segment.fileOffset + inside;
      }
    }
    throw new CodeObjectException(
        bytes.file(),
        String.format("%s of %d bytes at address 0x%x is in no segment", what, length, address));
  }

  /** The description of the first note with this owner and type, or null. */
  byte[] note(String owner, int type) throws CodeObjectException {
    for (Segment segment : segments) {
      if (segment.type != PT_NOTE) {
        continue;
      }
      long at = segment.fileOffset;
      long end = at + segment.fileSize;
      while (at + 12 <= end) {
        long nameSize = bytes.u32("note", at);
        long size = bytes.u32("note", at + 4);
        int noteType = bytes.i32("note", at + 8);
        long description = at + 12 + (nameSize + 3 & ~3L);
        boolean ours =
            nameSize == owner.length() + 1L && bytes.text("note owner", at + 12).equals(owner);
        if (ours && noteType == type) {
          return bytes.copy("note", description, size);
        }
        at = description + (size + 3 & ~3L);
      }
    }
    return null;
  }
}
