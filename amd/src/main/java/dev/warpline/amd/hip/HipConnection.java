package dev.warpline.amd.hip;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** The way to a program: requests come in, answers go out. Only one thread uses it. */
final class HipConnection implements AutoCloseable {
  /** A request's words and bytes. */
  record Message(HipRequest request, long[] words, byte[] data) {
    String text() {
      return new String(data, StandardCharsets.UTF_8);
    }
  }

  private static final int CALL_FUNCTION = -1;
  private static final int PRINT = -2;
  private static final int MOST_WORDS = 64;
  private static final int HEAD = 16;

  private final SocketChannel channel;
  private final Selector selector;

  HipConnection(SocketChannel channel) throws IOException {
    this.channel = channel;
    selector = Selector.open();
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ);
  }

  /** Waits for a request; false if none has begun to come after so many milliseconds. */
  boolean await(long milliseconds) throws IOException {
    selector.selectedKeys().clear();
    return selector.select(milliseconds) > 0;
  }

  /** Whether a request has begun to come. */
  boolean isWaiting() throws IOException {
    selector.selectedKeys().clear();
    return selector.selectNow() > 0;
  }

  /** The next request; null if the program has gone. */
  Message receive() throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
    if (!read(head)) {
      return null;
    }
    int request = head.getInt(0);
    int count = head.getInt(4);
    long bytes = head.getLong(8);
    if (request < 0
        || request >= HipRequest.values().length
        || count < 0
        || count > MOST_WORDS
        || bytes < 0
        || bytes > Integer.MAX_VALUE - 8) {
      throw new IOException(
          "request " + request + " with " + count + " words and " + bytes + " bytes is malformed");
    }
    ByteBuffer body = ByteBuffer.allocate(8 * count).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer data = ByteBuffer.allocate((int) bytes);
    if (!read(body) || !read(data)) {
      return null;
    }
    long[] words = new long[count];
    body.flip().asLongBuffer().get(words);
    return new Message(HipRequest.values()[request], words, data.array());
  }

  void answer(int error, byte[] data, long... words) throws IOException {
    ByteBuffer all =
        ByteBuffer.allocate(HEAD + 8 * words.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
    all.putInt(error).putInt(words.length).putLong(data.length);
    for (long word : words) {
      all.putLong(word);
    }
    all.put(data).flip();
    while (all.hasRemaining()) {
      if (channel.write(all) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  void answer(long... words) throws IOException {
    answer(0, new byte[0], words);
  }

  void fail(int error) throws IOException {
    answer(error, new byte[0]);
  }

  /**
   * Lets the program, which waits for an answer, print something first.
   *
   * @param stream 1 for standard output, 2 for standard error
   */
  void print(int stream, byte[] text) throws IOException {
    answer(PRINT, text, stream);
  }

  /** Lets the program, which waits for an answer, call one of its functions first. */
  void call(long function) throws IOException {
    answer(CALL_FUNCTION, new byte[0], function);
    if (receive() == null) {
      throw new EOFException("the program ended in a function that a stream called");
    }
  }

  private boolean read(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      int got;
      try {
        got = channel.read(buffer);
      } catch (IOException e) {
        // a program that was killed resets its connection
        return false;
      }
      if (got < 0) {
        return false;
      }
      if (got == 0) {
        await(0);
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    selector.close();
    channel.close();
  }
}
