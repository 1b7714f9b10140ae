package dev.warpline.trace;

import java.util.Arrays;

/** A growing row of bytes that holds variable-length numbers, for one column of a cache chunk. */
final class Column {
  private byte[] bytes = new byte[1024];
  private int size;

  /** Appends a non-negative number, seven bits a byte, low bits first. */
  void put(long value) {
    if (bytes.length - size < 10) {
      bytes = Arrays.copyOf(bytes, bytes.length * 2);
    }
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** Appends a signed number, small magnitudes short. */
  void putSigned(long value) {
    put(value << 1 ^ value >> 63);
  }

  void putBytes(byte[] content) {
    put(content.length);
    while (bytes.length - size < content.length) {
      bytes = Arrays.copyOf(bytes, bytes.length * 2);
    }
    System.arraycopy(content, 0, bytes, size, content.length);
    size += content.length;
  }

  /** Appends text, which may be null. */
  void putText(String text) {
    if (text == null) {
      put(0);
      return;
    }
    byte[] encoded = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    put(1);
    putBytes(encoded);
  }

  /** Bytes that a signed number takes. */
  static int signedSize(long value) {
    long zigzag = value << 1 ^ value >> 63;
    return (70 - Long.numberOfLeadingZeros(zigzag | 1)) / 7;
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }
}
