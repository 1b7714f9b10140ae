package dev.warpline.trace;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** The bytes of a trace cache: checks what is read from it and unpacks it. */
final class CacheFile implements AutoCloseable {
  private static final int MOST_BYTES = 1 << 30;

  private final String name;
  private final RandomBytes bytes;
  private final long size;

  CacheFile(String name, RandomBytes bytes) throws IOException {
    this.name = name;
    this.bytes = bytes;
    this.size = bytes.size();
  }

  String name() {
    return name;
  }

  /** The directory, which the end of the file points to. */
  ColumnReader directory() throws IOException {
    int least = CacheWriter.START_BYTES + CacheWriter.END_BYTES;
    if (size < least) {
      throw damaged("a file of " + size + " bytes");
    }
    byte[] start = take(0, CacheWriter.START_BYTES);
    int magic = CacheWriter.MAGIC.length;
    if (!Arrays.equals(start, 0, magic, CacheWriter.MAGIC, 0, magic)) {
      throw damaged("no WLTRACE at its beginning");
    }
    if (start[magic] != CacheWriter.VERSION) {
      throw new TraceFormatException(
          new Problem(
              name,
              0,
              0,
              "a trace cache of version " + start[magic],
              "version " + CacheWriter.VERSION + "; run warpline convert again",
              Skipped.NOTHING));
    }
    ByteBuffer end = buffer(take(size - CacheWriter.END_BYTES, CacheWriter.END_BYTES));
    byte[] endMagic = new byte[CacheWriter.START_BYTES];
    end.get(CacheWriter.END_BYTES - CacheWriter.START_BYTES, endMagic);
    if (!Arrays.equals(start, endMagic)) {
      throw damaged("no WLTRACE at its end");
    }
    int length = end.getInt(8);
    byte[] frame = take(end.getLong(0), end.getInt(12));
    check(frame, frame.length, end.getInt(16), "the directory");
    return new ColumnReader(unpack(frame, 0, frame.length, length, "the directory"));
  }

  /** A packed section at an offset. */
  ColumnReader section(long offset) throws IOException {
    ByteBuffer sizes = buffer(take(offset, 8));
    byte[] frame = take(offset + 8, sizes.getInt(4));
    int checksum = buffer(take(offset + 8 + frame.length, 4)).getInt(0);
    check(frame, frame.length, checksum, "a kernel section");
    return new ColumnReader(unpack(frame, 0, frame.length, sizes.getInt(0), "a kernel section"));
  }

  /** The columns of a chunk. */
  byte[][] chunk(long offset, int length) throws IOException {
    String what = "the chunk at byte " + offset;
    int header = ChunkEncoder.COLUMNS * 8;
    byte[] content = take(offset, length);
    if (length < header + 4) {
      throw damaged(what + " of " + length + " bytes");
    }
    ByteBuffer sizes = buffer(content);
    check(content, length - 4, sizes.getInt(length - 4), what);
    byte[][] columns = new byte[ChunkEncoder.COLUMNS][];
    int at = header;
    for (int i = 0; i < columns.length; i++) {
      int packed = sizes.getInt(i * 8 + 4);
      if (packed < 0 || packed > length - 4 - at) {
        throw damaged(what + " with a column of " + packed + " bytes");
      }
      columns[i] = unpack(content, at, packed, sizes.getInt(i * 8), what);
      at += packed;
    }
    return columns;
  }

  private byte[] unpack(byte[] frame, int at, int packed, int length, String what)
      throws TraceFormatException {
    if (length < 0 || length > MOST_BYTES) {
      throw damaged(what + " of " + length + " bytes unpacked");
    }
    byte[] content = new byte[length];
    if (length == 0) {
      return content;
    }
    try {
      long unpacked = Zstd.decompressByteArray(content, 0, length, frame, at, packed);
      if (unpacked == length) {
        return content;
      }
    } catch (ZstdException e) {
      // Reported below.
    }
    throw damaged(what + " that does not unpack");
  }

  private void check(byte[] content, int length, int checksum, String what)
      throws TraceFormatException {
    CRC32C actual = new CRC32C();
    actual.update(content, 0, length);
    if ((int) actual.getValue() != checksum) {
      throw damaged(what + " with a wrong checksum");
    }
  }

  private byte[] take(long offset, int length) throws IOException {
    if (offset < 0 || length < 0 || length > size - offset) {
      throw damaged("a reference to byte " + offset + " of " + size);
    }
    byte[] taken = new byte[length];
    bytes.read(offset, taken, length);
    return taken;
  }

  private static ByteBuffer buffer(byte[] content) {
    return ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
  }

  TraceFormatException damaged(String found) {
    return new TraceFormatException(
        new Problem(
            name, 0, 0, found, "an intact trace cache; run warpline convert again", Skipped.BLOCK));
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
