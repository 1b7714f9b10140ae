package dev.warpline.trace;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.warpline.isa.CodeTable;
import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A kernel in the binary container of Accel-Sim 2.0, {@code .tracez}: header text, a zstd
 * dictionary, per warp some zstd frames of instruction lines, and an index of blocks at the end.
 */
final class BinaryKernel implements KernelTrace {
  private static final int MAX_HEADER = 1 << 20;
  private static final int MAX_DICTIONARY = 1 << 24;
  private static final int MAX_FRAME = 1 << 28;
  private static final int BLOCK_WORDS = 11;

  private final String file;
  private final RandomBytes bytes;
  private final long size;
  private final Diagnostics diagnostics;
  private final KernelHeader header;
  private final KernelCode code;
  private final CodeTable table = new CodeTable();
  private final BlockAssembler assembler;
  private final ZstdDecompressCtx zstd;
  private final Map<Long, Block> blocks = new HashMap<>();
  private boolean indexed;
  private byte[] packed = new byte[1 << 16];
  private byte[] text = new byte[1 << 18];

  /** One block of the index: where its warps' data lie. */
  private record Block(int clusterRank, long[] warpOffsets, int[] instructions, int[] chunks) {}

  BinaryKernel(String file, RandomBytes bytes, CodeFiles codes, Diagnostics diagnostics)
      throws IOException {
    this.file = file;
    this.bytes = bytes;
    this.diagnostics = diagnostics;
    this.size = bytes.size();
    int headerBytes = headerBytes();
    byte[] raw = take(0, headerBytes, "the header");
    KernelHeader read =
        new HeaderReader(file, diagnostics).read(new String(raw, StandardCharsets.UTF_8));
    int dictionaryBytes = ints(headerBytes + 1L, 2, "the dictionary size").getInt(0);
    if (dictionaryBytes < 0 || dictionaryBytes > MAX_DICTIONARY) {
      throw damaged("a dictionary of " + Integer.toUnsignedString(dictionaryBytes) + " bytes");
    }
    byte[] dictionary = take(headerBytes + 9L, dictionaryBytes, "the dictionary");
    code = codes.find(read.name());
    header = read.withClusterOf(code);
    readIndex();
    indexed = true;
    GridCheck.refuseBeyond(file, header, blocks.size());
    GridCheck.reportMissing(file, header, blocks.size(), firstMissing(), diagnostics);
    assembler = new BlockAssembler(file, true, header, code, table, diagnostics);
    zstd = new ZstdDecompressCtx();
    if (dictionaryBytes > 0) {
      zstd.loadDict(dictionary);
    }
  }

  private int headerBytes() throws IOException {
    byte[] start = take(0, (int) Math.min(size, MAX_HEADER), "the header");
    for (int i = 0; i < start.length; i++) {
      if (start[i] == 0) {
        return i;
      }
    }
    throw damaged("no end of the header text");
  }

  private void readIndex() throws IOException {
    long offset = ints(size - 8, 2, "the offset of the index").getLong(0);
    long length = size - 8 - offset;
    if (offset < 0 || length < 4 || length > Integer.MAX_VALUE - 8) {
      throw damaged("an index at byte " + Long.toUnsignedString(offset) + " of " + size);
    }
    ByteBuffer index =
        ByteBuffer.wrap(take(offset, (int) length, "the index")).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int count = index.getInt();
      for (int i = 0; i < count; i++) {
        readIndexEntry(index);
      }
    } catch (java.nio.BufferUnderflowException e) {
      diagnostics.report(
          problem("an index that ends early, after " + blocks.size() + " blocks", Skipped.BLOCK));
    }
  }

  private long firstMissing() {
    long id = 0;
    while (blocks.containsKey(id)) {
      id++;
    }
    return id;
  }

  private void readIndexEntry(ByteBuffer index) throws IOException {
    int[] words = new int[BLOCK_WORDS];
    for (int i = 0; i < BLOCK_WORDS; i++) {
      words[i] = index.getInt();
    }
    int warps = words[10];
    if (warps < 0 || warps > index.remaining() / 16) {
      throw new java.nio.BufferUnderflowException();
    }
    long[] offsets = new long[warps];
    int[] instructions = new int[warps];
    int[] chunks = new int[warps];
    for (int warp = 0; warp < warps; warp++) {
      instructions[warp] = index.getInt();
      chunks[warp] = index.getInt();
      offsets[warp] = index.getLong();
      if (chunks[warp] < 0 || chunks[warp] > index.remaining() / 4) {
        throw new java.nio.BufferUnderflowException();
      }
      index.position(index.position() + 4 * chunks[warp]);
    }
    long id = LinePrefix.block(header.grid(), words[0], words[1], words[2]);
    if (id < 0 || warps > header.warpsPerBlock()) {
      diagnostics.report(
          new Problem(
              file,
              0,
              0,
              "block " + words[0] + "," + words[1] + "," + words[2] + " with " + warps + " warps",
              "a block inside the grid "
                  + header.grid()
                  + " with at most "
                  + header.warpsPerBlock()
                  + " warps",
              Skipped.BLOCK));
      return;
    }
    if (blocks.putIfAbsent(id, new Block(words[9], offsets, instructions, chunks)) != null) {
      diagnostics.report(
          new Problem(
              file,
              0,
              0,
              "thread block " + id + " for the second time",
              "each thread block once",
              Skipped.BLOCK));
    }
  }

  @Override
  public KernelHeader header() {
    return header;
  }

  @Override
  public CodeTable code() {
    return table;
  }

  @Override
  public boolean hasControlBits() {
    return CodeFiles.hasControlBits(code);
  }

  @Override
  public boolean readBlock(long blockId, BlockTrace into) throws IOException {
    Block block = blocks.get(blockId);
    if (block == null) {
      return false;
    }
    assembler.beginBlock(into, blockId, header.warpsPerBlock());
    into.clusterRank = block.clusterRank;
    for (int warp = 0; warp < block.warpOffsets.length; warp++) {
      if (block.instructions[warp] == 0) {
        continue;
      }
      assembler.beginWarp(warp);
      assembler.expectLines(Integer.toUnsignedLong(block.instructions[warp]), 0);
      try {
        readWarp(block.warpOffsets[warp], block.chunks[warp]);
      } catch (TraceFormatException e) {
        if (diagnostics.isStrict()) {
          throw e;
        }
        diagnostics.report(e.problem());
      }
      assembler.endWarp();
    }
    return true;
  }

  private void readWarp(long offset, int chunks) throws IOException {
    // Two words come first, the instruction and chunk counts, which the index has too.
    long at = offset + 8;
    long number = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
      int packedSize = ints(at, 1, "a chunk size").getInt(0);
      at += 4;
      if (packedSize < 0 || packedSize > size - at) {
        throw damaged("a chunk of " + Integer.toUnsignedString(packedSize) + " bytes");
      }
      if (packed.length < packedSize) {
        packed = new byte[packedSize];
      }
      bytes.read(at, packed, packedSize);
      int length = unpack(packedSize, at);
      at += packedSize;
      int start = 0;
      while (start < length) {
        int end = start;
        while (end < length && text[end] != '\n') {
          end++;
        }
        int next = end + 1;
        text[end] = '\n';
        while (end > start && text[end - 1] <= ' ' && text[end - 1] >= 0) {
          end--;
        }
        if (end > start) {
          assembler.line(text, start, end, ++number);
        }
        start = next;
      }
    }
  }

  private int unpack(int packedSize, long at) throws IOException {
    try {
      long length = Zstd.getFrameContentSize(packed, 0, packedSize);
      if (length < 0 || length > MAX_FRAME) {
        throw damaged("no zstd frame of a known size at byte " + at);
      }
      if (text.length <= length) {
        text = new byte[(int) length + 1];
      }
      return zstd.decompressByteArray(text, 0, (int) length, packed, 0, packedSize);
    } catch (ZstdException e) {
      throw damaged("a damaged zstd frame at byte " + at + " (" + e.getMessage() + ")");
    }
  }

  private ByteBuffer ints(long offset, int words, String what) throws IOException {
    return ByteBuffer.wrap(take(offset, words * 4, what)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private byte[] take(long offset, int length, String what) throws IOException {
    if (offset < 0 || offset + length > size) {
      throw damaged("the end of the file before " + what);
    }
    byte[] taken = new byte[length];
    bytes.read(offset, taken, length);
    return taken;
  }

  /** Until the index is read, damage costs the kernel; after it, a warp. */
  private TraceFormatException damaged(String found) {
    return new TraceFormatException(problem(found, indexed ? Skipped.WARP : Skipped.KERNEL));
  }

  private Problem problem(String found, Skipped skipped) {
    return new Problem(file, 0, 0, found, "a complete .tracez file", skipped);
  }

  @Override
  public void close() throws IOException {
    zstd.close();
    bytes.close();
  }
}
