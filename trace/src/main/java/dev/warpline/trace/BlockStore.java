package dev.warpline.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Blocks of a kernel that were made before they were asked for, packed as in a trace cache: in
 * memory up to a budget, then in a temporary file that disappears with this object.
 */
public final class BlockStore implements AutoCloseable {
  private static final long DEFAULT_BUDGET = 64L << 20;

  /** A packed block: its bytes, or where they are in the file. */
  private record Packed(byte[] bytes, long at, int size) {}

  private final long budget;
  private final int warpsPerBlock;
  private final ChunkEncoder encoder = new ChunkEncoder();
  private final Map<Long, Packed> blocks = new HashMap<>();
  private long held;
  private FileChannel file;
  private long fileSize;

  public BlockStore(int warpsPerBlock) {
    this(warpsPerBlock, DEFAULT_BUDGET);
  }

  BlockStore(int warpsPerBlock, long budget) {
    this.warpsPerBlock = warpsPerBlock;
    this.budget = budget;
  }

  /** Keeps a block. */
  public void put(BlockTrace block) throws IOException {
    encoder.reset(block.blockId);
    encoder.add(block);
    int size = 4 * ChunkEncoder.COLUMNS + Math.toIntExact(encoder.bytes());
    ByteBuffer packed = ByteBuffer.allocate(size);
    for (Column column : encoder.columns) {
      packed.putInt(column.size()).put(column.bytes(), 0, column.size());
    }
    packed.flip();
    if (held + size <= budget) {
      held += size;
      blocks.put(block.blockId, new Packed(packed.array(), 0, size));
      return;
    }
    if (file == null) {
      Path path = Files.createTempFile("warpline", ".blocks");
      file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
    }
    blocks.put(block.blockId, new Packed(null, fileSize, size));
    while (packed.hasRemaining()) {
      fileSize += file.write(packed, fileSize);
    }
  }

  /** Whether it has a block. */
  public boolean has(long blockId) {
    return blocks.containsKey(blockId);
  }

  /**
   * Gives a block back and forgets it.
   *
   * @param codeRows rows of the kernel's code table
   * @return false if there is no such block
   */
  public boolean take(long blockId, int codeRows, BlockTrace into) throws IOException {
    Packed packed = blocks.remove(blockId);
    if (packed == null) {
      return false;
    }
    ByteBuffer bytes;
    if (packed.bytes != null) {
      held -= packed.size;
      bytes = ByteBuffer.wrap(packed.bytes);
    } else {
      bytes = ByteBuffer.allocate(packed.size);
      while (bytes.hasRemaining()) {
        if (file.read(bytes, packed.at + bytes.position()) < 0) {
          throw new IOException("the temporary file was cut short");
        }
      }
      bytes.flip();
    }
    ChunkDecoder decoder = new ChunkDecoder(codeRows, warpsPerBlock);
    for (ColumnReader column : decoder.columns) {
      byte[] content = new byte[bytes.getInt()];
      bytes.get(content);
      column.reset(content, content.length);
    }
    decoder.reset(blockId);
    decoder.next(into);
    return true;
  }

  @Override
  public void close() throws IOException {
    blocks.clear();
    if (file != null) {
      file.close();
    }
  }
}
