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
  private static final int PRINTF = -2;
  private static final int MOST_WORDS = 64;
  private static final int HEAD = 16;

  private final SocketChannel channel;
  private final Selector selector;

  /** A request that came before somebody asked for it. */
  private Message early;

  /** Whether the program waits for an answer. */
  private boolean asked;

  HipConnection(SocketChannel channel) throws IOException {
    this.channel = channel;
    selector = Selector.open();
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ);
  }

  /** Waits for a request; false if none has begun to come after so many milliseconds. */
  boolean await(long milliseconds) throws IOException {
    if (early != null) {
      return true;
    }
    selector.selectedKeys().clear();
    return selector.select(milliseconds) > 0;
  }

  /** Whether a request has begun to come. */
  boolean isWaiting() throws IOException {
    if (early != null) {
      return true;
    }
    selector.selectedKeys().clear();
    return selector.selectNow() > 0;
  }

  /** The next request; null if the program has gone. */
  Message receive() throws IOException {
    Message message = early == null ? read() : early;
    early = null;
    asked = true;
    return message;
  }

  private Message read() throws IOException {
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
    send(error, data, words);
    asked = false;
  }

  private void send(int error, byte[] data, long... words) throws IOException {
    ByteBuffer all =
        ByteBuffer.allocate(HEAD + 8 * words.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
    all.putInt(error).putInt(words.length).putLong(data.length);
    for (long word : words) {
      all.putLong(word);
    }
    all.put(data).flip();
    try {
      while (all.hasRemaining()) {
        if (channel.write(all) == 0) {
          Thread.onSpinWait();
        }
      }
    } catch (IOException e) {
      // A program that was killed hears no answer; the next read finds that it has gone.
    }
  }

  void answer(long... words) throws IOException {
    answer(0, new byte[0], words);
  }

  void fail(int error) throws IOException {
    answer(error, new byte[0]);
  }

  /**
   * Lets the program print something of a kernel's before it gets its answer.
   *
   * @param stream 1 for standard output, 2 for standard error
   * @param message format and arguments
   * @return characters printed
   */
  long printf(int stream, byte[] message) throws IOException {
    return inBetween(PRINTF, message, stream);
  }

  /** Lets the program call one of its functions before it gets its answer. */
  void call(long function) throws IOException {
    inBetween(CALL_FUNCTION, new byte[0], function);
  }

  /** The program does something while it waits for an answer; if it does not wait, then later. */
  private long inBetween(int what, byte[] data, long word) throws IOException {
    if (!asked) {
      early = receive();
    }
    send(what, data, word);
    Message done = read();
    if (done == null) {
      throw new EOFException("the program ended while a kernel or stream needed it");
    }
    return done.words().length == 0 ? 0 : done.words()[0];
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
        selector.selectedKeys().clear();
        selector.select();
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
