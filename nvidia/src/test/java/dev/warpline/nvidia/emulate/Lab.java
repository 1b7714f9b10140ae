package dev.warpline.nvidia.emulate;

import dev.warpline.isa.CodeTable;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.ExecutedCode;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TextWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

/** Runs a few instructions as a kernel of one block. */
final class Lab {
  static final long BUFFER = 0x7f0000000000L;

  final ConstantBanks constants = new ConstantBanks();
  private final EmulatedMemory memory = new EmulatedMemory();
  private int threads = 32;
  private long limit = 1_000_000;
  private Block block;
  private ExecutedCode code;

  Lab() throws EmulationException {
    memory.add("data", BUFFER, 4096);
    constants.put(0, 0, new byte[0x210]);
  }

  Lab threads(int count) {
    threads = count;
    return this;
  }

  Lab limit(long instructions) {
    limit = instructions;
    return this;
  }

  /** Runs instructions, and EXIT after them. */
  Lab run(String... instructions) throws EmulationException {
    Launch launch = launch(Dim3.ONE);
    KernelSteps program = program(instructions);
    BlockCluster cluster = new BlockCluster(launch);
    block = cluster.block(0);
    block.record(true);
    cluster.start(0);
    Standstill standstill = new Standstill(program, done -> {});
    BlockCluster.run(List.of(cluster), program, standstill, () -> false);
    return this;
  }

  /** Runs instructions as a grid of blocks, without a trace. */
  Lab grid(int blocks, String... instructions) throws IOException {
    KernelSteps program = program(instructions);
    Launch launch = launch(new Dim3(blocks, 1, 1));
    new EmulatedKernel(header(), launch, program, code, false, done -> {}).execute();
    return this;
  }

  private KernelSteps program(String... instructions) throws EmulationException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < instructions.length; i++) {
      text.append(String.format("%04x\t%s ;\n", i * 16, instructions[i]));
    }
    text.append(String.format("%04x\tEXIT ;\n", instructions.length * 16));
    code = new ExecutedCode(90, pc -> true);
    return new KernelSteps(SassParser.parse(text.toString(), "lab", "lab.sass"), code, 5, limit);
  }

  private Launch launch(Dim3 grid) {
    return new Launch(
        "lab",
        grid,
        new Dim3(threads, 1, 1),
        Dim3.ONE,
        BlockMemory.RESERVED + 4096,
        0x7f2c00000000L,
        0x7f2b00000000L,
        constants,
        memory);
  }

  /** What a lane of the first warp has in a register. */
  int register(int register, int lane) {
    return block.warp(0).registers[register][lane];
  }

  float real(int register, int lane) {
    return Float.intBitsToFloat(register(register, lane));
  }

  long pair(int register, int lane) {
    return Words64.join(register(register, lane), register(register + 1, lane));
  }

  int uniform(int register) {
    return block.warp(0).registers[Warp.UNIFORM + register][0];
  }

  int predicate(int predicate) {
    return block.warp(0).predicates[predicate];
  }

  int word(int offset) {
    EmulatedMemory.Page page = memory.at(BUFFER + offset, 4);
    return Bytes.word(page.content, (int) (BUFFER + offset - page.address));
  }

  /** The lines of a warp's trace. */
  List<String> trace(int warp) throws IOException {
    StringWriter out = new StringWriter();
    TextWriter.write(new Executed(), out);
    String text = out.toString();
    int from = text.indexOf("insts", text.indexOf("warp = " + warp));
    String lines = text.substring(text.indexOf('\n', from) + 1, text.indexOf("\n\n", from));
    return lines.lines().map(String::strip).toList();
  }

  private KernelHeader header() {
    Dim3 size = new Dim3(threads, 1, 1);
    return new KernelHeader(
        "lab", 1, Dim3.ONE, size, 0, 0, 90, 0, 0, 0, "", 5, false, Dim3.ONE, Map.of());
  }

  /** The block as a kernel's trace. */
  private final class Executed implements KernelTrace {
    @Override
    public KernelHeader header() {
      return Lab.this.header();
    }

    @Override
    public CodeTable code() {
      return code.table();
    }

    @Override
    public boolean hasControlBits() {
      return false;
    }

    @Override
    public boolean readBlock(long blockId, BlockTrace into) {
      into.gather(blockId, 0, block.traces());
      return true;
    }

    @Override
    public void close() {}
  }

  /** PCs and masks of a warp's trace. */
  List<String> path(int warp) throws IOException {
    return trace(warp).stream().map(line -> line.substring(0, 13)).toList();
  }
}
