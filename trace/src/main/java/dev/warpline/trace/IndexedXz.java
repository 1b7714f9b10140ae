package dev.warpline.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.tukaani.xz.CorruptedInputException;
import org.tukaani.xz.SeekableFileInputStream;
import org.tukaani.xz.SeekableXZInputStream;
import org.tukaani.xz.XZ;

/**
 * Unpacks an xz file by the index at its end. Who reads it as a stream checks that index with
 * hashes, for which Java sets up its whole cryptography. What each block should have is compared
 * here where it is a {@link Crc64}.
 */
final class IndexedXz extends InputStream {
  private final SeekableXZInputStream in;

  /** By block: what its bytes should give. */
  private final long[] expected;

  private final Crc64 crc = new Crc64();
  private int block;

  private IndexedXz(SeekableXZInputStream in, long[] expected) {
    this.in = in;
    this.expected = expected;
  }

  /**
   * From the beginning of a file.
   *
   * @param check whether its bytes are compared with the checks that it has
   * @return null if there is no good index: a stream tells what is damaged
   */
  static InputStream open(Path file, int memoryKiB, boolean check) throws IOException {
    SeekableFileInputStream packed = new SeekableFileInputStream(file.toFile());
    try {
      SeekableXZInputStream in = new SeekableXZInputStream(packed, memoryKiB, false);
      if (!check) {
        return in;
      }
      for (int block = 0; block < in.getBlockCount(); block++) {
        if (in.getBlockCheckType(block) != XZ.CHECK_CRC64) {
          packed.seek(0);
          return new SeekableXZInputStream(packed, memoryKiB);
        }
      }
      return new IndexedXz(in, checks(file, in));
    } catch (IOException e) {
      packed.close();
      return null;
    }
  }

  /** A check is the last of its block. */
  private static long[] checks(Path file, SeekableXZInputStream in) throws IOException {
    long[] checks = new long[in.getBlockCount()];
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(file)) {
      for (int block = 0; block < checks.length; block++) {
        bytes.clear();
        long end = in.getBlockCompPos(block) + in.getBlockCompSize(block);
        if (channel.read(bytes, end - Long.BYTES) < Long.BYTES) {
          throw new CorruptedInputException();
        }
        checks[block] = bytes.getLong(0);
      }
    }
    return checks;
  }

  @Override
  public int read(byte[] bytes, int from, int count) throws IOException {
    finishBlocks();
    if (block == expected.length) {
      return in.read(bytes, from, count);
    }
    int read = in.read(bytes, from, (int) Math.min(count, end() - in.position()));
    crc.update(bytes, from, Math.max(0, read));
    finishBlocks();
    return read;
  }

  private long end() throws IOException {
    return in.getBlockPos(block) + in.getBlockSize(block);
  }

  /** Compares what has been read to its end. */
  private void finishBlocks() throws IOException {
    for (; block < expected.length && in.position() == end(); block++) {
      if (crc.value() != expected[block]) {
        throw new CorruptedInputException("Integrity check (CRC64) does not match");
      }
      crc.reset();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
