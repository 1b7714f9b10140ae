package dev.warpline.trace;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A binary file that is read at any offset. */
interface RandomBytes extends AutoCloseable {
  long size() throws IOException;

  /** Fills an array from an offset; {@link EOFException} if the file is too short. */
  void read(long offset, byte[] into, int length) throws IOException;

  @Override
  void close() throws IOException;

  /** A file on disk. */
  static RandomBytes of(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path);
    return new RandomBytes() {
      @Override
      public long size() throws IOException {
        return channel.size();
      }

      @Override
      public void read(long offset, byte[] into, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
        while (buffer.hasRemaining()) {
          if (offset < 0 || channel.read(buffer, offset + buffer.position()) < 0) {
            throw new EOFException();
          }
        }
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /** A file held in memory. */
  static RandomBytes of(byte[] content) {
    return new RandomBytes() {
      @Override
      public long size() {
        return content.length;
      }

      @Override
      public void read(long offset, byte[] into, int length) throws IOException {
        if (offset < 0 || length > content.length - offset) {
          throw new EOFException();
        }
        System.arraycopy(content, (int) offset, into, 0, length);
      }

      @Override
      public void close() {}
    };
  }
}
