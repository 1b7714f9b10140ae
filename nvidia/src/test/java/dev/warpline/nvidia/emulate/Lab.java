package dev.warpline.nvidia.emulate;

import dev.warpline.trace.Dim3;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs a few instructions as a kernel of one block. */
final class Lab {
  static final long BUFFER = 0x7f0000000000L;

  final EmulatedMemory.Buffer buffer = new EmulatedMemory.Buffer("data", BUFFER, new byte[4096]);
  final ConstantBanks constants = new ConstantBanks();
  private final EmulatedMemory memory = new EmulatedMemory();
  private int threads = 32;
  private long limit = 1_000_000;
  private Block block;

  Lab() throws EmulationException {
    memory.add(buffer);
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
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < instructions.length; i++) {
      text.append(String.format("%04x\t%s ;\n", i * 16, instructions[i]));
    }
    text.append(String.format("%04x\tEXIT ;\n", instructions.length * 16));
    Launch launch =
        new Launch(
            "lab",
            Dim3.ONE,
            new Dim3(threads, 1, 1),
            BlockMemory.RESERVED + 4096,
            0x7f2c00000000L,
            0x7f2b00000000L,
            constants,
            memory);
    block = new Block(launch);
    block.run(
        0, 0, 0, new KernelSteps(SassParser.parse(text.toString(), "lab", "lab.sass"), limit));
    return this;
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
    return Bytes.word(buffer.content, offset);
  }

  /** The lines of a warp's trace. */
  List<String> trace(int warp) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    block.warp(warp).trace.writeTo(out);
    return out.toString(StandardCharsets.US_ASCII).lines().map(String::strip).toList();
  }

  /** PCs and masks of a warp's trace. */
  List<String> path(int warp) throws IOException {
    return trace(warp).stream().map(line -> line.substring(0, 13)).toList();
  }
}
