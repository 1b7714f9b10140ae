package dev.warpline.trace;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/**
 * A stream that ends with an exception once the thread that reads it is interrupted: unpacking a
 * large archive, or looking for a file in one, takes minutes.
 */
final class Interruptible extends FilterInputStream {
  private static final int SKIP_BYTES = 1 << 20;

  Interruptible(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    check();
    return super.read();
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    check();
    return super.read(into, offset, length);
  }

  @Override
  public long skip(long count) throws IOException {
    check();
    return super.skip(Math.min(count, SKIP_BYTES));
  }

  private static void check() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while reading an archive");
    }
  }
}
