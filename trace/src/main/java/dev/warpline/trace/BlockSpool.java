package dev.warpline.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lines sorted by block in bounded memory: what exceeds a budget goes to a temporary file that
 * disappears with this object.
 *
 * <p>A record is: warp (int), line number (long), where the instruction begins in the text (int),
 * bytes of text (int), the text, a newline.
 */
final class BlockSpool implements AutoCloseable {
  static final int RECORD_HEADER = 20;

  private static final long DEFAULT_BUDGET = 96L << 20;

  private final long budget;
  private final Map<Long, Lines> blocks = new HashMap<>();
  private long held;
  private FileChannel file;
  private long fileSize;

  /** What is known of one block: parts in the file, and the records after them. */
  private static final class Lines {
    final List<long[]> parts = new ArrayList<>();
    byte[] tail = new byte[0];
    int tailSize;
    int clusterRank;
  }

  BlockSpool() {
    this(DEFAULT_BUDGET);
  }

  BlockSpool(long budget) {
    this.budget = budget;
  }

  void add(long block, int rank, int warp, long number, byte[] b, int from, int core, int to)
      throws IOException {
    Lines lines = blocks.computeIfAbsent(block, key -> new Lines());
    lines.clusterRank = rank;
    int size = RECORD_HEADER + to - from + 1;
    if (lines.tail.length - lines.tailSize < size) {
      int longer = Math.max(lines.tailSize + size, Math.max(256, lines.tail.length * 2));
      held += longer - lines.tail.length;
      lines.tail = Arrays.copyOf(lines.tail, longer);
    }
    ByteBuffer.wrap(lines.tail, lines.tailSize, size)
        .putInt(warp)
        .putLong(number)
        .putInt(core - from)
        .putInt(to - from)
        .put(b, from, to - from)
        .put((byte) '\n');
    lines.tailSize += size;
    if (held > budget) {
      spill();
    }
  }

  private void spill() throws IOException {
    if (file == null) {
      Path path = Files.createTempFile("warpline", ".spool");
      file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
    }
    for (Lines lines : blocks.values()) {
      if (lines.tailSize > 0) {
        lines.parts.add(new long[] {fileSize, lines.tailSize});
        ByteBuffer buffer = ByteBuffer.wrap(lines.tail, 0, lines.tailSize);
        while (buffer.hasRemaining()) {
          fileSize += file.write(buffer, fileSize);
        }
        lines.tail = new byte[0];
        lines.tailSize = 0;
      }
    }
    held = 0;
  }

  /** A block's records in the order they were added, or null. */
  ByteBuffer read(long block) throws IOException {
    Lines lines = blocks.get(block);
    if (lines == null) {
      return null;
    }
    long size = lines.tailSize;
    for (long[] part : lines.parts) {
      size += part[1];
    }
    ByteBuffer records = ByteBuffer.allocate(Math.toIntExact(size));
    for (long[] part : lines.parts) {
      int end = records.position() + (int) part[1];
      long shift = part[0] - records.position();
      records.limit(end);
      while (records.hasRemaining()) {
        if (file.read(records, shift + records.position()) < 0) {
          throw new IOException("the temporary file was cut short");
        }
      }
    }
    records.limit(records.capacity());
    records.put(lines.tail, 0, lines.tailSize);
    return records.flip();
  }

  /** How many blocks have lines. */
  long blocks() {
    return blocks.size();
  }

  /** The least block id without lines. */
  long firstMissing() {
    long id = 0;
    while (blocks.containsKey(id)) {
      id++;
    }
    return id;
  }

  int clusterRank(long block) {
    return blocks.get(block).clusterRank;
  }

  /** Offset of the record after one. */
  static int next(ByteBuffer records, int at) {
    return at + RECORD_HEADER + records.getInt(at + 16) + 1;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
