package dev.warpline.amd.code;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Little-endian reads from a file's bytes that name the file when they run out of it. */
final class FileBytes {
  private final String file;
  private final ByteBuffer data;

  FileBytes(String file, byte[] data) {
    this.file = file;
    this.data = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
  }

  String file() {
    return file;
  }

  int size() {
    return data.capacity();
  }

  /** Checks that {@code length} bytes lie at {@code offset} and narrows the offset. */
  int range(String what, long offset, long length) throws CodeObjectException {
    if (offset < 0 || length < 0 || offset > size() || length > size() - offset) {
      throw new CodeObjectException(
          file,
          String.format(
              "%s of %d bytes at 0x%x lies outside the file of %d bytes",
              what, length, offset, size()));
    }
    return (int) offset;
  }

  int u8(String what, long offset) throws CodeObjectException {
    return data.get(range(what, offset, 1)) & 0xff;
  }

  int u16(String what, long offset) throws CodeObjectException {
    return data.getShort(range(what, offset, 2)) & 0xffff;
  }

  int i32(String what, long offset) throws CodeObjectException {
    return data.getInt(range(what, offset, 4));
  }

  long u32(String what, long offset) throws CodeObjectException {
    return i32(what, offset) & 0xffffffffL;
  }

  long i64(String what, long offset) throws CodeObjectException {
    return data.getLong(range(what, offset, 8));
  }

  byte[] copy(String what, long offset, long length) throws CodeObjectException {
    int start = range(what, offset, length);
    byte[] out = new byte[(int) length];
    data.get(start, out);
    return out;
  }

  /** The text up to the next zero byte. */
  String text(String what, long offset) throws CodeObjectException {
    int start = range(what, offset, 1);
    int end = start;
    while (end < size() && data.get(end) != 0) {
      end++;
    }
    if (end == size()) {
      throw new CodeObjectException(file, what + " does not end before the file does");
    }
    return new String(data.array(), start, end - start, StandardCharsets.UTF_8);
  }
}
