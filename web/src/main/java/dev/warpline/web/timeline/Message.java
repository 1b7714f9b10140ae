package dev.warpline.web.timeline;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A protobuf message being written: fields by number, in the encoding of the wire. */
final class Message {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;

  private byte[] bytes = new byte[64];
  private int size;

  Message number(int field, long value) {
    varint((long) field << 3 | VARINT);
    varint(value);
    return this;
  }

  Message fixed(int field, long value) {
    varint((long) field << 3 | FIXED64);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      add((byte) (value >>> shift));
    }
    return this;
  }

  Message real(int field, double value) {
    return fixed(field, Double.doubleToRawLongBits(value));
  }

  Message text(int field, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    return bytes(field, utf8, utf8.length);
  }

  Message message(int field, Message value) {
    return bytes(field, value.bytes, value.size);
  }

  private Message bytes(int field, byte[] value, int length) {
    varint((long) field << 3 | BYTES);
    varint(length);
    if (size + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + length));
    }
    System.arraycopy(value, 0, bytes, size, length);
    size += length;
    return this;
  }

  private void varint(long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      add((byte) (left & 0x7f | 0x80));
      left >>>= 7;
    }
    add((byte) left);
  }

  private void add(byte value) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    bytes[size++] = value;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }
}
