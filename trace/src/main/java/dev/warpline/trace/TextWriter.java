package dev.warpline.trace;

import dev.warpline.isa.ControlBits;
import dev.warpline.isa.Instruction;
import dev.warpline.trace.code.CodeWords;
import dev.warpline.trace.code.ConstantsSidecar;
import dev.warpline.trace.code.ControlSidecar;
import dev.warpline.trace.code.SassListing;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Writes traces in the text format: a folder with {@code kernelslist.g}, a {@code .traceg} for each
 * kernel, and beside it what is known of its code.
 */
public final class TextWriter {
  private final Appendable out;
  private final KernelTrace kernel;
  private final KernelHeader header;
  private final TraceDialect dialect;

  private TextWriter(KernelTrace kernel, Appendable out) {
    this.kernel = kernel;
    this.header = kernel.header();
    this.dialect = header.dialect();
    this.out = out;
  }

  /**
   * Writes a whole trace into a folder.
   *
   * @param progress told the number of warp instructions written so far
   */
  public static void write(TraceSet trace, Path folder, LongConsumer progress) throws IOException {
    Files.createDirectories(folder);
    StringBuilder list = new StringBuilder();
    long[] instructions = new long[1];
    for (TraceCommand command : trace.commands()) {
      if (command instanceof TraceCommand.MemcpyHtoD copy) {
        list.append(String.format("MemcpyHtoD,0x%016x,%d\n", copy.address(), copy.bytes()));
      } else if (command instanceof TraceCommand.Other other) {
        list.append(other.text()).append('\n');
      } else if (command instanceof TraceCommand.Launch launch) {
        String file = fileName(launch.file());
        list.append(file).append('\n');
        long before = instructions[0];
        try (KernelTrace kernel = trace.open(launch);
            BufferedWriter out = Files.newBufferedWriter(folder.resolve(file))) {
          new TextWriter(kernel, out)
              .write(
                  block -> {
                    instructions[0] += block.instructions();
                    progress.accept(instructions[0]);
                  });
          KernelTrace.requireInstructions(kernel.header(), instructions[0] - before);
          writeCode(kernel, folder, file.substring(0, file.length() - ".traceg".length()));
        }
      }
    }
    Files.writeString(folder.resolve("kernelslist.g"), list);
  }

  private static String fileName(String listed) {
    String base = Packing.of(listed).strip(listed);
    int dot = base.lastIndexOf('.');
    return (dot < 0 ? base : base.substring(0, dot)) + ".traceg";
  }

  /** Writes what is known of a kernel's code beside its text, so that nothing of it is lost. */
  private static void writeCode(KernelTrace kernel, Path folder, String stem) throws IOException {
    String name = kernel.header().name();
    Collection<Instruction> words = byPc(kernel, in -> in.low() != 0 || in.high() != 0);
    if (!words.isEmpty()) {
      try (Writer out = Files.newBufferedWriter(folder.resolve(stem + ".code"))) {
        CodeWords.write(name, words, out);
      }
    }
    Collection<Instruction> controlled = byPc(kernel, in -> in.control() != ControlBits.ABSENT);
    if (!controlled.isEmpty()) {
      try (Writer out = Files.newBufferedWriter(folder.resolve(stem + ".ctrl"))) {
        ControlSidecar.of(name, controlled).write(out);
      }
    }
    Collection<Instruction> constants = byPc(kernel, in -> in.constant() != null && !in.isListed());
    if (!constants.isEmpty()) {
      try (Writer out = Files.newBufferedWriter(folder.resolve(stem + ".constants"))) {
        ConstantsSidecar.of(name, constants).write(out);
      }
    }
    Collection<Instruction> listed = byPc(kernel, in -> in.disassembly() != null);
    if (!listed.isEmpty()) {
      try (Writer out = Files.newBufferedWriter(folder.resolve(stem + ".sass"))) {
        SassListing.write(listed, out);
      }
    }
  }

  /** The executed instructions of which something is known, one for each PC. */
  private static Collection<Instruction> byPc(KernelTrace kernel, Predicate<Instruction> known) {
    Map<Integer, Instruction> found = new TreeMap<>();
    for (int row = 0; row < kernel.code().size(); row++) {
      Instruction instruction = kernel.code().get(row);
      if (known.test(instruction)) {
        found.putIfAbsent(instruction.pc(), instruction);
      }
    }
    return found.values();
  }

  /** Writes one kernel as a {@code .traceg}. */
  public static void write(KernelTrace kernel, Writer out) throws IOException {
    new TextWriter(kernel, out).write(block -> {});
  }

  /** Told of each block after it was written. */
  private interface Written {
    void block(BlockTrace block);
  }

  private void write(Written written) throws IOException {
    header();
    BlockTrace block = new BlockTrace();
    for (long id = 0; id < header.grid().count(); id++) {
      if (kernel.readBlock(id, block)) {
        block(block);
        written.block(block);
      }
    }
  }

  private void header() throws IOException {
    line("-kernel name = " + header.name());
    line("-kernel id = " + header.id());
    line("-grid dim = " + header.grid());
    line("-block dim = " + header.block());
    if (!header.cluster().equals(Dim3.ONE)) {
      line("-cluster dim = " + header.cluster());
    }
    line("-shmem = " + header.sharedBytes());
    line("-nregs = " + header.registers());
    line("-binary version = " + header.binaryVersion());
    line("-cuda stream id = " + Long.toUnsignedString(header.stream()));
    line(String.format("-shmem base_addr = 0x%016x", header.sharedBase()));
    line(String.format("-local mem base_addr = 0x%016x", header.localBase()));
    line("-nvbit version = " + header.nvbitVersion());
    line("-accelsim tracer version = " + header.tracerVersion());
    line("-enable lineinfo = " + (header.lineInfo() ? 1 : 0));
    header
        .extra()
        .forEach(
            (key, value) -> {
              try {
                line("-" + key + " = " + value);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    line("");
    line(dialect.columns());
    line("");
  }

  private void block(BlockTrace block) throws IOException {
    Dim3 grid = header.grid();
    long id = block.blockId();
    long x = id % grid.x();
    long y = id / grid.x() % grid.y();
    long z = id / grid.x() / grid.y();
    line("#BEGIN_TB\n");
    line("thread block = " + x + "," + y + "," + z);
    if (block.clusterRank() != 0) {
      line("cluster rank = " + block.clusterRank());
    }
    line("");
    for (int warp = 0; warp < block.warps(); warp++) {
      int count = block.count(warp);
      if (count == 0) {
        continue;
      }
      String prefix = dialect.namesWarpInLine() ? x + " " + y + " " + z + " " + warp + " " : "";
      line("warp = " + warp);
      line("insts = " + lines(block, block.start(warp), count));
      for (int i = block.start(warp); i < block.start(warp) + count; i++) {
        instruction(prefix, block, i);
      }
      line("");
    }
    line("#END_TB\n");
  }

  /** An LDGSTS with both addresses takes two lines. */
  private int lines(BlockTrace block, int start, int count) {
    int lines = count;
    for (int i = start; i < start + count; i++) {
      if (sharedHalf(block, i) >= 0) {
        lines++;
      }
    }
    return lines;
  }

  /** The payload with the shared addresses of an LDGSTS, or -1. */
  private int sharedHalf(BlockTrace block, int index) {
    int at = block.payload(index);
    if (at < 0 || !kernel.code().get(block.row(index)).opcode().name().equals("LDGSTS")) {
      return -1;
    }
    int next = Payload.next(block.data(), at);
    while (next >= 0 && Payload.kind(block.data(), next) == Payload.VALUES) {
      next = Payload.next(block.data(), next);
    }
    return next;
  }

  private void instruction(String prefix, BlockTrace block, int index) throws IOException {
    int at = block.payload(index);
    int shared = sharedHalf(block, index);
    if (shared >= 0) {
      instruction(prefix, block, index, shared, -1);
    }
    instruction(prefix, block, index, at, shared);
  }

  /** One line, with the payloads from one up to (not including) another. */
  private void instruction(String prefix, BlockTrace block, int index, int from, int to)
      throws IOException {
    Instruction row = kernel.code().get(block.row(index));
    out.append(prefix);
    if (header.lineInfo()) {
      number(row.sourceLine());
    }
    String pc = Integer.toHexString(row.pc());
    out.append("0000", 0, Math.max(0, 4 - pc.length())).append(pc).append(' ');
    String mask = Integer.toHexString(block.mask(index));
    out.append("00000000", 0, 8 - mask.length()).append(mask).append(' ');
    registers(row.destinations());
    out.append(row.text()).append(' ');
    registers(row.sources());
    dialect.writeOperands(row, out);
    number(row.recordedWidth());
    long[] data = block.data();
    int values = -1;
    for (int at = from; at >= 0 && at != to; at = Payload.next(data, at)) {
      switch (Payload.kind(data, at)) {
        case Payload.STRIDE -> {
          out.append("1 ");
          address(data[at + 1]);
          number(data[at + 2]);
        }
        case Payload.LIST -> list(data, at);
        case Payload.BULK -> bulk(data, at);
        default -> values = at;
      }
    }
    dialect.writeTail(row, values >= 0, out);
    if (values >= 0) {
      values(data, values);
    }
    out.append('\n');
  }

  private void registers(int[] registers) throws IOException {
    number(registers.length);
    for (int register : registers) {
      out.append('R');
      number(register);
    }
  }

  private void list(long[] data, int at) throws IOException {
    int listed = Payload.listed(data, at);
    out.append("2 ");
    address(listed > 0 ? data[at + 1] : 0);
    for (int i = 1; i < listed; i++) {
      number(Payload.listed(data, at, i) - Payload.listed(data, at, i - 1));
    }
  }

  private void bulk(long[] data, int at) throws IOException {
    int end = at + Payload.length(data, at);
    address(data[at + 1]);
    number(data[at + 2] != 0 ? 1 : 0);
    if (data[at + 2] != 0) {
      address(data[at + 2]);
    }
    number(data[at + 3]);
    number(data[at + 4]);
    long sectors = 0;
    for (int run = at + 5; run < end; run += 3) {
      sectors += data[run + 2];
    }
    if (sectors == 0) {
      out.append("3 0 ");
      return;
    }
    out.append("4 ");
    address(data[at + 5]);
    number(sectors);
    long previous = data[at + 5];
    for (int run = at + 5; run < end; run += 3) {
      for (long i = 0; i < data[run + 2]; i++) {
        long sector = data[run] + i * data[run + 1];
        if (run > at + 5 || i > 0) {
          number(sector - previous);
        }
        previous = sector;
      }
    }
  }

  private void values(long[] data, int at) throws IOException {
    int end = at + Payload.length(data, at);
    int i = at + 1;
    while (i < end) {
      long count = data[i++];
      number(count);
      for (long n = 0; n < count; n++) {
        address(data[i++]);
      }
    }
  }

  private void address(long value) throws IOException {
    out.append("0x").append(Long.toHexString(value)).append(' ');
  }

  private void number(long value) throws IOException {
    out.append(Long.toString(value)).append(' ');
  }

  private void line(String text) throws IOException {
    out.append(text).append('\n');
  }
}
