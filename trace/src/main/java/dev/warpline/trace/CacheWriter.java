package dev.warpline.trace;

import com.github.luben.zstd.Zstd;
import dev.warpline.isa.CodeTable;
import dev.warpline.isa.ConstantOperand;
import dev.warpline.isa.Instruction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/** Writes a compact trace cache, {@code .wlt}; docs/trace-cache.md describes the format. */
public final class CacheWriter {
  static final byte[] MAGIC = "WLTRACE".getBytes(StandardCharsets.US_ASCII);
  static final int VERSION = 1;

  /** Magic and version. */
  static final int START_BYTES = 8;

  /**
   * Offset (8), packed and unpacked length (4, 4) and checksum (4) of the directory, magic,
   * version.
   */
  static final int END_BYTES = 28;

  /**
   * A chunk ends after the block that reaches this many warp instructions. More compresses better;
   * less makes random access faster.
   */
  private static final long CHUNK_INSTRUCTIONS = 1 << 20;

  /** A chunk also ends when its columns reach this size. */
  private static final long CHUNK_BYTES = 16 << 20;

  private static final int LEVEL = 19;

  private final FileChannel out;
  private long offset;

  private CacheWriter(FileChannel out) {
    this.out = out;
  }

  /**
   * Writes a trace into a file, which appears only when it is complete.
   *
   * @param fingerprint of the source, so that a stale cache is known; empty if there is none
   * @param progress told the number of warp instructions written so far
   */
  public static void write(TraceSet trace, String fingerprint, Path target, LongConsumer progress)
      throws IOException {
    Path part = target.resolveSibling(target.getFileName() + ".part");
    try {
      try (FileChannel out =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        new CacheWriter(out).write(trace, fingerprint, progress);
      }
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private void write(TraceSet trace, String fingerprint, LongConsumer progress) throws IOException {
    append(start(), START_BYTES);
    Column directory = new Column();
    directory.putText(fingerprint);
    directory.put(trace.commands().size());
    long instructions = 0;
    for (TraceCommand command : trace.commands()) {
      if (command instanceof TraceCommand.MemcpyHtoD copy) {
        directory.put(1);
        directory.put(copy.address());
        directory.put(copy.bytes());
      } else if (command instanceof TraceCommand.Launch launch) {
        directory.put(2);
        directory.putText(launch.file());
        try (KernelTrace kernel = trace.open(launch)) {
          instructions = kernel(kernel, directory, instructions, progress);
        }
      } else if (command instanceof TraceCommand.Other other) {
        directory.put(3);
        directory.put(other.line());
        directory.putText(other.text());
      }
    }
    List<String> messages = trace.diagnostics().messages();
    directory.put(messages.size());
    messages.forEach(directory::putText);
    directory.put(trace.diagnostics().problems().size());
    end(directory);
  }

  /** Writes a kernel's chunks and then its section; the directory says where that is. */
  private long kernel(
      KernelTrace kernel, Column directory, long instructionsBefore, LongConsumer progress)
      throws IOException {
    ChunkEncoder encoder = new ChunkEncoder();
    BlockTrace block = new BlockTrace();
    Column index = new Column();
    int chunks = 0;
    long instructions = instructionsBefore;
    long previousOffset = 0;
    long nextFirst = 0;
    long blocks = kernel.header().grid().count();
    for (long id = 0; id <= blocks; id++) {
      boolean there = id < blocks && kernel.readBlock(id, block);
      if (there) {
        if (encoder.blocks() == 0) {
          encoder.reset(id);
          nextFirst = id;
        }
        encoder.add(block);
        instructions += block.instructions();
      }
      boolean full = encoder.instructions() >= CHUNK_INSTRUCTIONS || encoder.bytes() >= CHUNK_BYTES;
      if (encoder.blocks() > 0 && (full || id == blocks)) {
        index.put(offset - previousOffset);
        previousOffset = offset;
        index.put(nextFirst);
        index.put(encoder.blocks());
        int size = chunk(encoder);
        index.put(size);
        chunks++;
        encoder.reset(0);
        progress.accept(instructions);
      }
    }
    KernelTrace.requireInstructions(kernel.header(), instructions - instructionsBefore);
    Column section = new Column();
    header(kernel.header(), section);
    code(kernel.code(), section);
    section.put(kernel.hasControlBits() ? 1 : 0);
    section.put(chunks);
    section.putBytes(Arrays.copyOf(index.bytes(), index.size()));
    constants(kernel.code(), section);
    SourceColumn.write(kernel.code(), section);
    directory.put(offset);
    directory.put(instructions - instructionsBefore);
    directory.put(packed(section));
    return instructions;
  }

  /** Appends the chunk: per column its unpacked and packed size, the packed columns, a checksum. */
  private int chunk(ChunkEncoder encoder) throws IOException {
    ByteBuffer sizes = ByteBuffer.allocate(ChunkEncoder.COLUMNS * 8).order(ByteOrder.LITTLE_ENDIAN);
    List<byte[]> packed = new ArrayList<>();
    CRC32C checksum = new CRC32C();
    for (Column column : encoder.columns) {
      byte[] frame = compress(column);
      packed.add(frame);
      sizes.putInt(column.size()).putInt(frame.length);
    }
    checksum.update(sizes.array());
    int size = append(sizes.array(), sizes.capacity());
    for (byte[] frame : packed) {
      checksum.update(frame);
      size += append(frame, frame.length);
    }
    return size + append(checksumBytes(checksum), 4);
  }

  /** Appends a packed column with its sizes and checksum; returns the bytes it took. */
  private int packed(Column column) throws IOException {
    byte[] frame = compress(column);
    CRC32C checksum = new CRC32C();
    checksum.update(frame);
    ByteBuffer sizes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    sizes.putInt(column.size()).putInt(frame.length);
    return append(sizes.array(), 8)
        + append(frame, frame.length)
        + append(checksumBytes(checksum), 4);
  }

  private static byte[] checksumBytes(CRC32C checksum) {
    return ByteBuffer.allocate(4)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) checksum.getValue())
        .array();
  }

  private static byte[] compress(Column column) {
    return column.size() == 0
        ? new byte[0]
        : Zstd.compress(Arrays.copyOf(column.bytes(), column.size()), LEVEL);
  }

  private void end(Column directory) throws IOException {
    long at = offset;
    byte[] frame = compress(directory);
    CRC32C checksum = new CRC32C();
    checksum.update(frame);
    append(frame, frame.length);
    ByteBuffer end = ByteBuffer.allocate(END_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    end.putLong(at).putInt(directory.size()).putInt(frame.length);
    end.putInt((int) checksum.getValue()).put(start());
    append(end.array(), END_BYTES);
  }

  static byte[] start() {
    byte[] start = Arrays.copyOf(MAGIC, START_BYTES);
    start[START_BYTES - 1] = VERSION;
    return start;
  }

  private static void header(KernelHeader header, Column section) {
    section.putText(header.name());
    section.put(header.id());
    dim(header.grid(), section);
    dim(header.block(), section);
    section.put(header.sharedBytes());
    section.put(header.registers());
    section.put(header.binaryVersion());
    section.put(header.stream());
    section.put(header.sharedBase());
    section.put(header.localBase());
    section.putText(header.nvbitVersion());
    section.put(header.tracerVersion());
    section.put(header.lineInfo() ? 1 : 0);
    dim(header.cluster(), section);
    section.put(header.extra().size());
    header
        .extra()
        .forEach(
            (key, value) -> {
              section.putText(key);
              section.putText(value);
            });
  }

  private static void dim(Dim3 dim, Column section) {
    section.put(dim.x());
    section.put(dim.y());
    section.put(dim.z());
  }

  private static void code(CodeTable code, Column section) {
    section.put(code.size());
    for (int row = 0; row < code.size(); row++) {
      Instruction instruction = code.get(row);
      section.put(Integer.toUnsignedLong(instruction.pc()));
      section.put(instruction.sourceLine());
      section.putText(instruction.text());
      registers(instruction.destinations(), section);
      registers(instruction.sources(), section);
      section.put(instruction.recordedWidth());
      section.putSigned(instruction.immediate());
      section.putSigned(instruction.immediate2());
      section.put(instruction.commitsGroup() ? 1 : 0);
      section.putSigned(instruction.control());
      section.put(instruction.low());
      section.put(instruction.high());
      section.putText(instruction.disassembly());
    }
  }

  /**
   * What a file of constants says of each row: 0 nothing, 1 that it reads none, 2 and the constant.
   * Where there is a listing it says that.
   */
  private static void constants(CodeTable code, Column section) {
    for (int row = 0; row < code.size(); row++) {
      Instruction instruction = code.get(row);
      ConstantOperand constant = instruction.isListed() ? null : instruction.constant();
      section.put(constant == null ? 0 : constant.isRead() ? 2 : 1);
      if (constant != null && constant.isRead()) {
        section.put(constant.bank());
        section.putSigned(constant.register());
        section.putSigned(constant.offset());
      }
    }
  }

  private static void registers(int[] registers, Column section) {
    section.put(registers.length);
    for (int register : registers) {
      section.put(register);
    }
  }

  private int append(byte[] bytes, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    while (buffer.hasRemaining()) {
      out.write(buffer, offset + buffer.position());
    }
    offset += length;
    return length;
  }
}
