package dev.warpline.trace;

import java.nio.charset.StandardCharsets;

/** Reads what a {@link Column} holds. Reading past the end is an unchecked exception. */
final class ColumnReader {
  private byte[] bytes = new byte[0];
  private int at;
  private int end;

  ColumnReader() {}

  ColumnReader(byte[] content) {
    reset(content, content.length);
  }

  void reset(byte[] content, int size) {
    bytes = content;
    at = 0;
    end = size;
  }

  long next() {
    byte first = bytes[at++];
    if (first >= 0) {
      return first;
    }
    return longer(first);
  }

  private long longer(byte first) {
    long value = first & 0x7f;
    int shift = 7;
    while (true) {
      byte b = bytes[at++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
      shift += 7;
      if (shift > 63) {
        throw new IllegalStateException("a number that is too long");
      }
    }
  }

  long nextSigned() {
    long zigzag = next();
    return zigzag >>> 1 ^ -(zigzag & 1);
  }

  /** A number that must lie in a range, because something is indexed or sized by it. */
  int nextInt(int most) {
    long value = next();
    if (value < 0 || value > most) {
      throw new IllegalStateException("the number " + value + ", at most " + most + " is possible");
    }
    return (int) value;
  }

  byte[] nextBytes() {
    int size = nextInt(end - at);
    byte[] content = new byte[size];
    System.arraycopy(bytes, at, content, 0, size);
    at += size;
    return content;
  }

  String nextText() {
    return next() == 0 ? null : new String(nextBytes(), StandardCharsets.UTF_8);
  }

  /** Bytes not yet read. */
  int remaining() {
    return end - at;
  }
}
