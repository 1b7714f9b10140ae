package dev.warpline.nvidia.emulate;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Trace lines of one warp, as text that grows. */
final class TraceText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private byte[] bytes = new byte[1 << 12];
  private int length;
  private int lines;

  void clear() {
    length = 0;
    lines = 0;
  }

  int lines() {
    return lines;
  }

  int length() {
    return length;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
  }

  void text(byte[] text) {
    reserve(text.length);
    System.arraycopy(text, 0, bytes, length, text.length);
    length += text.length;
  }

  void mask(int mask) {
    reserve(8);
    for (int shift = 28; shift >= 0; shift -= 4) {
      bytes[length++] = HEX[mask >>> shift & 15];
    }
  }

  /**
   * Addresses of the lanes of a mask: base and stride when they are one run of at least two lanes
   * with equal steps, else base and differences.
   */
  void addresses(int mask, long[] addresses) {
    if (mask == 0) {
      text(NONE);
      return;
    }
    int first = Integer.numberOfTrailingZeros(mask);
    int run = mask >>> first;
    int lanes = Integer.bitCount(mask);
    boolean strided = lanes > 1 && (run & run + 1) == 0;
    long stride = strided ? addresses[first + 1] - addresses[first] : 0;
    for (int lane = first + 1; strided && lane < first + lanes; lane++) {
      strided = addresses[lane] - addresses[lane - 1] == stride;
    }
    text(strided ? STRIDE : DELTAS);
    hex(addresses[first]);
    space();
    if (strided) {
      decimal(stride);
      space();
      return;
    }
    long previous = addresses[first];
    for (int m = mask & mask - 1; m != 0; m &= m - 1) {
      long address = addresses[Integer.numberOfTrailingZeros(m)];
      decimal(address - previous);
      space();
      previous = address;
    }
  }

  private static final byte[] NONE = "2 0x0 ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] STRIDE = "1 0x".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DELTAS = "2 0x".getBytes(StandardCharsets.US_ASCII);

  void endLine() {
    reserve(1);
    bytes[length++] = '\n';
    lines++;
  }

  private void space() {
    reserve(1);
    bytes[length++] = ' ';
  }

  private void hex(long value) {
    reserve(16);
    int digits = Math.max(1, (67 - Long.numberOfLeadingZeros(value)) / 4);
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
      bytes[length++] = HEX[(int) (value >>> shift) & 15];
    }
  }

  private void decimal(long value) {
    reserve(20);
    long rest = value;
    if (rest < 0) {
      bytes[length++] = '-';
      rest = -rest;
    }
    int start = length;
    while (rest > Integer.MAX_VALUE) {
      bytes[length++] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    int small = (int) rest;
    do {
      bytes[length++] = (byte) ('0' + small % 10);
      small /= 10;
    } while (small != 0);
    for (int i = start, j = length - 1; i < j; i++, j--) {
      byte swapped = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = swapped;
    }
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
    }
  }
}
