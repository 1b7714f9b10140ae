package dev.warpline.amd.code;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A program or object file of the host with code for GPUs inside: its section {@code .hip_fatbin}
 * holds an offload bundle for each source file.
 */
final class FatBinary {
  private static final String SECTION = ".hip_fatbin";
  private static final int ELF_MAGIC = 0x464c457f;
  private static final int EM_AMDGPU = 224;
  private static final byte[] PLAIN =
      "__CLANG_OFFLOAD_BUNDLE__".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] COMPRESSED = "CCOB".getBytes(StandardCharsets.US_ASCII);

  private FatBinary() {}

  /** Whether it is an ELF file, but none for AMD's GPUs. */
  static boolean isHostFile(String file, byte[] data) throws CodeObjectException {
    FileBytes bytes = new FileBytes(file, data);
    return bytes.size() >= 64
        && bytes.i32("ELF magic", 0) == ELF_MAGIC
        && bytes.u8("class", 4) == 2
        && bytes.u16("machine", 18) != EM_AMDGPU;
  }

  /** The bundles inside, in order. */
  static List<byte[]> bundles(String file, byte[] data) throws CodeObjectException {
    FileBytes bytes = new FileBytes(file, data);
    long headers = bytes.i64("section header offset", 40);
    int size = bytes.u16("section header size", 58);
    int count = bytes.u16("section header count", 60);
    long names = headers + (long) bytes.u16("section of names", 62) * size;
    for (int i = 0; i < count; i++) {
      long header = headers + (long) i * size;
      long strings = bytes.i64("section names", names + 24);
      String name = bytes.text("section name", strings + bytes.u32("section header", header));
      if (name.equals(SECTION)) {
        return bundlesIn(
            new FileBytes(
                file,
                bytes.copy(
                    SECTION,
                    bytes.i64("section header", header + 24),
                    bytes.i64("section header", header + 32))));
      }
    }
    throw new CodeObjectException(
        file,
        "a file for ELF machine " + bytes.u16("machine", 18) + " without a section " + SECTION,
        "an AMD code object, an offload bundle, or a HIP program with GPU code in it");
  }

  private static List<byte[]> bundlesIn(FileBytes section) throws CodeObjectException {
    List<byte[]> bundles = new ArrayList<>();
    long at = 0;
    while (at + PLAIN.length <= section.size()) {
      long length = 0;
      if (starts(section, at, PLAIN)) {
        length = plainLength(section, at);
      } else if (starts(section, at, COMPRESSED)) {
        length = compressedLength(section, at);
      }
      if (length > 0) {
        bundles.add(section.copy("offload bundle", at, length));
      }
      at += length > 0 ? length : 1;
    }
    if (bundles.isEmpty()) {
      throw new CodeObjectException(
          section.file(), SECTION + " without an offload bundle", "at least one");
    }
    return bundles;
  }

  private static boolean starts(FileBytes bytes, long at, byte[] magic) throws CodeObjectException {
    for (int i = 0; i < magic.length; i++) {
      if (bytes.u8("offload bundle", at + i) != (magic[i] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  /** Up to the end of the last entry. */
  private static long plainLength(FileBytes bytes, long start) throws CodeObjectException {
    long count = bytes.i64("bundle entry count", start + PLAIN.length);
    long at = start + PLAIN.length + 8;
    long end = at;
    for (long i = 0; i < count; i++) {
      long offset = bytes.i64("bundle entry", at);
      long length = bytes.i64("bundle entry", at + 8);
      bytes.range("bundle entry", start + offset, length);
      end = Math.max(end, start + offset + length);
      at += 24 + bytes.i64("bundle entry", at + 16);
    }
    return Math.max(end, at) - start;
  }

  /** Versions 2 and 3 say it; the first lasts to the end. */
  private static long compressedLength(FileBytes bytes, long start) throws CodeObjectException {
    long length =
        switch (bytes.u16("bundle version", start + 4)) {
          case 2 -> bytes.u32("bundle size", start + 8);
          case 3 -> bytes.i64("bundle size", start + 8);
          default -> bytes.size() - start;
        };
    bytes.range("compressed bundle", start, length);
    return Math.max(length, COMPRESSED.length);
  }
}
