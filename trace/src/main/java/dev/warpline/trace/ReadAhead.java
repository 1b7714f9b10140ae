package dev.warpline.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Runs a slow stream (decompression) on a thread of its own, a few buffers ahead of its reader. */
final class ReadAhead extends InputStream {
  private static final int BUFFERS = 6;
  private static final int BUFFER_BYTES = 1 << 17;

  /** {@code size} -1 ends the stream, with {@code failure} if it did not end well. */
  private record Piece(byte[] bytes, int size, Throwable failure) {}

  private final BlockingQueue<Piece> full = new ArrayBlockingQueue<>(BUFFERS + 1);
  private final BlockingQueue<byte[]> empty = new ArrayBlockingQueue<>(BUFFERS);
  private final InputStream source;
  private final Thread thread;
  private Piece current;
  private int position;

  ReadAhead(InputStream source, String name) {
    this.source = source;
    for (int i = 0; i < BUFFERS; i++) {
      empty.add(new byte[BUFFER_BYTES]);
    }
    thread = new Thread(this::pump, "read-ahead " + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void pump() {
    Throwable failure = null;
    try {
      while (true) {
        byte[] bytes = empty.take();
        int size = 0;
        try {
          while (size < bytes.length) {
            int n = source.read(bytes, size, bytes.length - size);
            if (n < 0) {
              break;
            }
            size += n;
          }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
          // What came before the damage is still good, so it is handed on first.
          failure = e;
        }
        if (size > 0) {
          full.put(new Piece(bytes, size, null));
        }
        if (size < bytes.length || failure != null) {
          full.put(new Piece(null, -1, failure));
          return;
        }
      }
    } catch (InterruptedException e) {
      // The reader closed us.
    }
  }

  @Override
  public int read() throws IOException {
    return available(1) ? current.bytes[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!available(length)) {
      return -1;
    }
    int n = Math.min(length, current.size - position);
    System.arraycopy(current.bytes, position, into, offset, n);
    position += n;
    return n;
  }

  private boolean available(int wanted) throws IOException {
    try {
      while (current == null || position == current.size) {
        if (current != null) {
          empty.put(current.bytes);
        }
        current = full.take();
        position = 0;
        if (current.size < 0) {
          Throwable failure = current.failure;
          full.put(current);
          current = null;
          if (failure instanceof IOException io) {
            throw io;
          }
          if (failure != null) {
            throw new IOException(failure.toString(), failure);
          }
          return false;
        }
      }
      return wanted > 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  @Override
  public void close() throws IOException {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    source.close();
  }
}
