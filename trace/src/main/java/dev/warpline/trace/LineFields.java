package dev.warpline.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The fields of an instruction line, taken one after the other. */
public final class LineFields {
  private static final byte[] HEX = hexDigits();

  private byte[] bytes = {};

  /** Where the next field begins. */
  int at;

  /** Where the line ends. */
  int to;

  LineFields() {}

  void reset(byte[] line, int from, int end) {
    bytes = line;
    at = from;
    to = end;
  }

  /** Whether anything is left of the line. */
  public boolean hasMore() {
    return at < to;
  }

  /** Where the next field begins, for {@link LineSyntaxException}. */
  public int position() {
    return at;
  }

  /** The next word. */
  public String word(String expected) throws LineSyntaxException {
    int from = at;
    int p = from;
    while (p < to && (bytes[p] > ' ' || bytes[p] < 0)) {
      p++;
    }
    if (p <= from) {
      throw new LineSyntaxException(from, expected);
    }
    advance(p);
    return new String(bytes, from, p - from, StandardCharsets.ISO_8859_1);
  }

  /** Moves over the blanks that end a token, never past the line. */
  private void advance(int end) {
    int p = end;
    while (p < to && bytes[p] <= ' ' && bytes[p] >= 0) {
      p++;
    }
    at = p;
  }

  /** A PC. */
  int pc() throws LineSyntaxException {
    final byte[] b = bytes;
    int p = at;
    long value = 0;
    int digit;
    while ((digit = HEX[b[p] & 0xff]) >= 0) {
      value = value << 4 | digit;
      p++;
    }
    if (p == at || p - at > 8 || p >= to || b[p] > ' ' || b[p] < 0) {
      throw new LineSyntaxException(at, "a PC of up to 8 hexadecimal digits");
    }
    advance(p);
    return (int) value;
  }

  /** A lane mask. */
  int laneMask() throws LineSyntaxException {
    final byte[] b = bytes;
    int p = at;
    int value = 0;
    int digit;
    while ((digit = HEX[b[p] & 0xff]) >= 0) {
      value = value << 4 | digit;
      p++;
    }
    if (p - at != 8 || p >= to || b[p] > ' ' || b[p] < 0) {
      throw new LineSyntaxException(at, "a lane mask of 8 hexadecimal digits");
    }
    advance(p);
    return value;
  }

  /** A number of up to 64 bits in hexadecimal, with or without 0x. */
  public long hex() throws LineSyntaxException {
    final byte[] b = bytes;
    int p = at;
    if (p + 1 < to && b[p] == '0' && b[p + 1] == 'x') {
      p += 2;
    }
    int first = p;
    long value = 0;
    int digit;
    while ((digit = HEX[b[p] & 0xff]) >= 0) {
      value = value << 4 | digit;
      p++;
    }
    if (p == first || p - first > 16 || at >= to || b[p] > ' ' || b[p] < 0) {
      throw new LineSyntaxException(at, "an address in hexadecimal");
    }
    advance(p);
    return value;
  }

  /** A decimal number. */
  public long decimal(String expected) throws LineSyntaxException {
    final byte[] b = bytes;
    int p = at;
    boolean negative = b[p] == '-';
    if (negative) {
      p++;
    }
    int first = p;
    long value = 0;
    int digit;
    while ((digit = b[p] - '0') >= 0 && digit <= 9) {
      value = value * 10 + digit;
      p++;
    }
    if (p == first || p - first > 20 || at >= to || b[p] > ' ' || b[p] < 0) {
      throw new LineSyntaxException(at, expected);
    }
    advance(p);
    return negative ? -value : value;
  }

  private static byte[] hexDigits() {
    byte[] digits = new byte[256];
    Arrays.fill(digits, (byte) -1);
    for (int i = 0; i < 10; i++) {
      digits['0' + i] = (byte) i;
    }
    for (int i = 0; i < 6; i++) {
      digits['a' + i] = (byte) (10 + i);
      digits['A' + i] = (byte) (10 + i);
    }
    return digits;
  }
}
