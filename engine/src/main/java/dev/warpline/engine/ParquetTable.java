package dev.warpline.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A flat table as an Apache Parquet file: optional columns of 64-bit integers, doubles or text, one
 * row group, one plain uncompressed page per column. Metadata is Thrift's compact protocol. Small
 * results need no more of the format, and so no library.
 */
final class ParquetTable {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  // Physical types, encodings and the like, as numbered by parquet.thrift.
  private static final int INT64 = 2;
  private static final int DOUBLE = 5;
  private static final int BYTE_ARRAY = 6;
  private static final int OPTIONAL = 1;
  private static final int UTF8 = 0;
  private static final int PLAIN = 0;
  private static final int RLE = 3;
  private static final int UNCOMPRESSED = 0;
  private static final int DATA_PAGE = 0;

  /** One column, already encoded, and where it lies in the file. */
  private record Chunk(String name, int type, long offset, int size) {}

  private ParquetTable() {}

  /** Writes rows by column name; a row may lack a column. */
  static void write(List<Map<String, Object>> rows, Path file) throws IOException {
    Bytes out = new Bytes();
    out.writeBytes(MAGIC);
    List<Chunk> chunks = new ArrayList<>();
    types(rows)
        .forEach(
            (name, type) -> {
              byte[] page = page(rows, name, type);
              long offset = out.size();
              out.writeBytes(page);
              chunks.add(new Chunk(name, type, offset, page.length));
            });
    byte[] footer = footer(chunks, rows.size());
    out.writeBytes(footer);
    out.little(footer.length, 4);
    out.writeBytes(MAGIC);
    WholeFile.write(file, stream -> out.writeTo(stream));
  }

  /** A column is text if any value is, else double if any is a fraction, else whole. */
  private static Map<String, Integer> types(List<Map<String, Object>> rows) {
    Map<String, Integer> types = new LinkedHashMap<>();
    for (Map<String, Object> row : rows) {
      row.forEach(
          (name, value) -> {
            int type =
                !(value instanceof Number)
                    ? BYTE_ARRAY
                    : value instanceof Long || value instanceof Integer ? INT64 : DOUBLE;
            types.merge(name, type, Math::max);
          });
    }
    return types;
  }

  private static byte[] page(List<Map<String, Object>> rows, String name, int type) {
    Bytes data = new Bytes();
    byte[] present = present(rows, name);
    data.little(present.length, 4);
    data.writeBytes(present);
    for (Map<String, Object> row : rows) {
      Object value = row.get(name);
      if (value == null) {
        continue;
      }
      switch (type) {
        case INT64 -> data.little(((Number) value).longValue(), 8);
        case DOUBLE -> data.little(Double.doubleToRawLongBits(((Number) value).doubleValue()), 8);
        default -> {
          byte[] text = value.toString().getBytes(StandardCharsets.UTF_8);
          data.little(text.length, 4);
          data.writeBytes(text);
        }
      }
    }
    Thrift header = new Thrift();
    header.integer(1, DATA_PAGE);
    header.integer(2, data.size());
    header.integer(3, data.size());
    header.struct(5);
    header.integer(1, rows.size());
    header.integer(2, PLAIN);
    header.integer(3, RLE);
    header.integer(4, RLE);
    header.end();
    header.end();
    header.bytes.writeBytes(data.toByteArray());
    return header.bytes.toByteArray();
  }

  /** Which rows have a value: one bit each, as one bit-packed run. */
  private static byte[] present(List<Map<String, Object>> rows, String name) {
    int groups = (rows.size() + 7) / 8;
    Bytes run = new Bytes();
    run.unsigned((long) groups << 1 | 1);
    for (int group = 0; group < groups; group++) {
      int bits = 0;
      for (int i = 8 * group; i < Math.min(rows.size(), 8 * group + 8); i++) {
        bits |= (rows.get(i).get(name) == null ? 0 : 1) << (i & 7);
      }
      run.write(bits);
    }
    return run.toByteArray();
  }

  private static byte[] footer(List<Chunk> chunks, int rows) {
    Thrift meta = new Thrift();
    meta.integer(1, 1);
    meta.list(2, Thrift.STRUCT, chunks.size() + 1);
    meta.element();
    meta.text(4, "results");
    meta.integer(5, chunks.size());
    meta.end();
    for (Chunk chunk : chunks) {
      meta.element();
      meta.integer(1, chunk.type());
      meta.integer(3, OPTIONAL);
      meta.text(4, chunk.name());
      if (chunk.type() == BYTE_ARRAY) {
        meta.integer(6, UTF8);
      }
      meta.end();
    }
    meta.wide(3, rows);
    meta.list(4, Thrift.STRUCT, 1);
    meta.element();
    meta.list(1, Thrift.STRUCT, chunks.size());
    for (Chunk chunk : chunks) {
      column(meta, chunk, rows);
    }
    meta.wide(2, chunks.stream().mapToLong(Chunk::size).sum());
    meta.wide(3, rows);
    meta.end();
    meta.text(6, "warpline");
    meta.end();
    return meta.bytes.toByteArray();
  }

  private static void column(Thrift meta, Chunk chunk, int rows) {
    meta.element();
    meta.wide(2, chunk.offset());
    meta.struct(3);
    meta.integer(1, chunk.type());
    meta.list(2, Thrift.I32, 2);
    meta.bytes.zigzag(PLAIN);
    meta.bytes.zigzag(RLE);
    meta.list(3, Thrift.BINARY, 1);
    meta.bytes.text(chunk.name());
    meta.integer(4, UNCOMPRESSED);
    meta.wide(5, rows);
    meta.wide(6, chunk.size());
    meta.wide(7, chunk.size());
    meta.wide(9, chunk.offset());
    meta.end();
    meta.end();
  }

  /** Structs in Thrift's compact protocol. */
  private static final class Thrift {
    static final int I32 = 5;
    static final int I64 = 6;
    static final int BINARY = 8;
    static final int LIST = 9;
    static final int STRUCT = 12;

    final Bytes bytes = new Bytes();
    private final List<Integer> outer = new ArrayList<>();
    private int last;

    void integer(int field, int value) {
      field(field, I32);
      bytes.zigzag(value);
    }

    void wide(int field, long value) {
      field(field, I64);
      bytes.zigzag(value);
    }

    void text(int field, String value) {
      field(field, BINARY);
      bytes.text(value);
    }

    void list(int field, int type, int size) {
      field(field, LIST);
      if (size < 15) {
        bytes.write(size << 4 | type);
      } else {
        bytes.write(0xf0 | type);
        bytes.unsigned(size);
      }
    }

    /** Begins a struct that is a field. */
    void struct(int field) {
      field(field, STRUCT);
      element();
    }

    /** Begins a struct that is a list's element. */
    void element() {
      outer.add(last);
      last = 0;
    }

    void end() {
      bytes.write(0);
      last = outer.isEmpty() ? 0 : outer.remove(outer.size() - 1);
    }

    private void field(int number, int type) {
      bytes.write((number - last) << 4 | type);
      last = number;
    }
  }

  /** Bytes with the integer encodings of both formats. */
  private static final class Bytes extends ByteArrayOutputStream {
    void little(long value, int count) {
      for (int i = 0; i < count; i++) {
        write((int) (value >>> 8 * i));
      }
    }

    void unsigned(long value) {
      while ((value & ~0x7fL) != 0) {
        write((int) (value & 0x7f | 0x80));
        value >>>= 7;
      }
      write((int) value);
    }

    void zigzag(long value) {
      unsigned(value << 1 ^ value >> 63);
    }

    void text(String value) {
      byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
      unsigned(encoded.length);
      writeBytes(encoded);
    }
  }
}
