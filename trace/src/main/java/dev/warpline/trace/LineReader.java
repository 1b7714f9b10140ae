package dev.warpline.trace;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Lines of a stream as ranges of one byte array. A line's range excludes its end-of-line and blanks
 * at both ends; the byte after the range is never a letter or digit, so that scanners of numbers
 * and words need no bounds check.
 */
final class LineReader {
  /** A line longer than this is not a line but damage; bulk copies reach some hundred KiB. */
  static final int MAX_LINE = 64 << 20;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long NEWLINES = 0x0a0a0a0a0a0a0a0aL;
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private final InputStream in;
  private byte[] buffer = new byte[1 << 18];
  private int next;
  private int limit;
  private long bufferOffset;
  private boolean ended;

  private int start;
  private int end;
  private long number;
  private boolean again;
  private boolean terminated = true;

  LineReader(InputStream in, long offset, long lineNumber) {
    this.in = in;
    this.bufferOffset = offset;
    this.number = lineNumber;
  }

  /** Moves to the next line; false at the end. */
  boolean next() throws IOException {
    if (again) {
      again = false;
      return true;
    }
    int from = next;
    int newline;
    while ((newline = find(from)) < 0) {
      from = limit;
      if (ended) {
        if (next == limit) {
          start = end = limit;
          return false;
        }
        terminated = false;
        newline = limit;
        break;
      }
      from -= fill();
    }
    start = next;
    next = Math.min(newline + 1, limit);
    int last = newline;
    buffer[last] = '\n';
    while (last > start && buffer[last - 1] <= ' ' && buffer[last - 1] >= 0) {
      last--;
    }
    end = last;
    if (start < last && buffer[start] <= ' ') {
      start = skipBlanks(start);
    }
    number++;
    return true;
  }

  /** Over blanks, and over the mark that some editors put at the beginning of a file. */
  private int skipBlanks(int from) {
    int at = from;
    if (bufferOffset + at == 0
        && end - at >= 3
        && buffer[at] == (byte) 0xef
        && buffer[at + 1] == (byte) 0xbb
        && buffer[at + 2] == (byte) 0xbf) {
      at += 3;
    }
    while (at < end && buffer[at] <= ' ' && buffer[at] >= 0) {
      at++;
    }
    return at;
  }

  /** Makes {@link #next} give the current line again. */
  void again() {
    again = true;
  }

  byte[] bytes() {
    return buffer;
  }

  /** First byte of the current line that is not blank. */
  int start() {
    return start;
  }

  /** One after the last byte of the current line that is not blank. */
  int end() {
    return end;
  }

  /** Number of the current line, from 1. */
  long number() {
    return number;
  }

  /** Offset in the stream of the current line's first byte. */
  long offset() {
    return bufferOffset + start;
  }

  /** Offset in the stream of the first byte after the lines read so far. */
  long nextOffset() {
    return bufferOffset + (again ? start : next);
  }

  /** Whether the last line read ended in a newline. */
  boolean terminated() {
    return terminated;
  }

  boolean isBlank() {
    return start == end;
  }

  boolean startsWith(String word) {
    int length = word.length();
    if (end - start < length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (buffer[start + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  String text() {
    return new String(buffer, start, end - start, java.nio.charset.StandardCharsets.UTF_8);
  }

  /** The problem with a stream that cannot be read further, e.g. damaged compressed data. */
  Problem damage(String file, IOException cause, Problem.Skipped skipped) {
    String reason =
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return new Problem(
        file,
        0,
        0,
        "damaged data after byte " + nextOffset() + " of the text (" + reason + ")",
        "the rest of the trace",
        skipped);
  }

  private int find(int from) {
    byte[] b = buffer;
    int i = from;
    for (int stop = limit - 8; i <= stop; i += 8) {
      long x = (long) LONGS.get(b, i) ^ NEWLINES;
      long hit = (x - ONES) & ~x & HIGHS;
      if (hit != 0) {
        // The bytes below the first hit, counted: cheaper than looking for its bit.
        return i + (int) (((hit & -hit) - 1 & ONES) * ONES >>> 56) - 1;
      }
    }
    for (; i < limit; i++) {
      if (b[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Makes room and reads more; returns by how much the bytes moved down. */
  private int fill() throws IOException {
    int moved = next;
    if (moved > 0) {
      System.arraycopy(buffer, moved, buffer, 0, limit - moved);
      limit -= moved;
      next = 0;
      bufferOffset += moved;
    }
    if (limit + 1 >= buffer.length) {
      if (buffer.length >= MAX_LINE) {
        throw new LineTooLongException();
      }
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    // One byte stays free for the newline that the last line may lack.
    int n = in.read(buffer, limit, buffer.length - limit - 1);
    if (n < 0) {
      ended = true;
    } else {
      limit += n;
    }
    return moved;
  }

  /** The line after the last one read exceeds {@link #MAX_LINE}. */
  static final class LineTooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    LineTooLongException() {
      super("a line of more than " + (MAX_LINE >> 20) + " MiB");
    }
  }
}
