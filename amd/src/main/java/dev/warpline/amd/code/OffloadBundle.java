package dev.warpline.amd.code;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Clang's container for code of several targets, plain or compressed. */
final class OffloadBundle {
  private static final byte[] MAGIC =
      "__CLANG_OFFLOAD_BUNDLE__".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] COMPRESSED = "CCOB".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_BYTES = 256 << 20;

  /** One entry; the id is like {@code hipv4-amdgcn-amd-amdhsa--gfx900}. */
  record Entry(String id, byte[] data) {
    /** Processor name with its features cut off, e.g. {@code gfx90a}; empty for host code. */
    String processor() {
      int at = id.indexOf("amdgcn");
      if (at < 0) {
        return "";
      }
      String last = id.substring(id.lastIndexOf('-') + 1);
      int colon = last.indexOf(':');
      return colon < 0 ? last : last.substring(0, colon);
    }
  }

  private OffloadBundle() {}

  static boolean isBundle(byte[] data) {
    return startsWith(data, MAGIC) || startsWith(data, COMPRESSED);
  }

  static List<Entry> entries(String file, byte[] data) throws CodeObjectException {
    if (startsWith(data, COMPRESSED)) {
      byte[] plain = decompress(new FileBytes(file, data));
      if (!startsWith(plain, MAGIC)) {
        throw new CodeObjectException(
            file, "compressed data of another kind", "an offload bundle inside");
      }
      return entries(file, plain);
    }
    FileBytes bytes = new FileBytes(file, data);
    long count = bytes.i64("bundle entry count", MAGIC.length);
    List<Entry> entries = new ArrayList<>();
    long at = MAGIC.length + 8L;
    for (long i = 0; i < count; i++) {
      long offset = bytes.i64("bundle entry", at);
      long size = bytes.i64("bundle entry", at + 8);
      long idLength = bytes.i64("bundle entry", at + 16);
      String id =
          new String(bytes.copy("bundle entry id", at + 24, idLength), StandardCharsets.UTF_8);
      at += 24 + idLength;
      entries.add(new Entry(id, bytes.copy("bundle entry " + id, offset, size)));
    }
    return entries;
  }

  /**
   * Version 1 has 32-bit uncompressed size; version 2 the file size before it; version 3 both with
   * 64 bits. A 64-bit hash follows.
   */
  private static byte[] decompress(FileBytes bytes) throws CodeObjectException {
    int version = bytes.u16("bundle version", 4);
    int method = bytes.u16("compression method", 6);
    long size;
    int header;
    switch (version) {
      case 1 -> {
        size = bytes.u32("uncompressed size", 8);
        header = 20;
      }
      case 2 -> {
        size = bytes.u32("uncompressed size", 12);
        header = 24;
      }
      case 3 -> {
        size = bytes.i64("uncompressed size", 16);
        header = 32;
      }
      default ->
          throw new CodeObjectException(
              bytes.file(), "compressed bundle version " + version, "1, 2 or 3");
    }
    if (size < 0 || size > MAX_BYTES) {
      throw new CodeObjectException(
          bytes.file(), "a bundle of " + size + " bytes", "at most " + MAX_BYTES);
    }
    byte[] data = bytes.copy("compressed bundle", header, (long) bytes.size() - header);
    byte[] out = new byte[(int) size];
    long got =
        switch (method) {
          case 0 -> inflate(bytes.file(), data, out);
          case 1 -> unzstd(bytes.file(), data, out);
          default ->
              throw new CodeObjectException(
                  bytes.file(), "compression method " + method, "0 (zlib) or 1 (zstd)");
        };
    if (got != size) {
      throw new CodeObjectException(bytes.file(), "the compressed bundle is damaged");
    }
    return out;
  }

  private static long unzstd(String file, byte[] data, byte[] out) throws CodeObjectException {
    try {
      return Zstd.decompressByteArray(out, 0, out.length, data, 0, data.length);
    } catch (ZstdException e) {
      throw new CodeObjectException(file, "the compressed bundle is damaged: " + e.getMessage());
    }
  }

  private static long inflate(String file, byte[] data, byte[] out) throws CodeObjectException {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(data);
      return inflater.inflate(out);
    } catch (DataFormatException e) {
      throw new CodeObjectException(file, "the compressed bundle is damaged: " + e.getMessage());
    } finally {
      inflater.end();
    }
  }

  private static boolean startsWith(byte[] data, byte[] magic) {
    return data.length >= magic.length
        && java.util.Arrays.equals(data, 0, magic.length, magic, 0, magic.length);
  }
}
