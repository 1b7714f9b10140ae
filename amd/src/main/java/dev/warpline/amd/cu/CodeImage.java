package dev.warpline.amd.cu;

import dev.warpline.amd.exec.DecodedCode;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.isa.gcn.GcnOpcode;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Instructions of one loaded code object by address, prepared for the pipeline when first asked
 * for. Several threads may prepare the same instruction; they get equal, immutable results.
 */
public final class CodeImage {
  private final AmdSpec spec;
  private final DecodedCode program;
  private final long start;
  private final TimedInstruction[] instructions;

  /**
   * @param start address of the code object's image
   * @param bytes its length
   */
  public CodeImage(AmdSpec spec, DecodedCode program, long start, int bytes) {
    this.spec = spec;
    this.program = program;
    this.start = start;
    instructions = new TimedInstruction[bytes / 4];
  }

  /** The instruction at an address as an assembler writes it. */
  public String text(long pc) {
    return at(pc).code.toString();
  }

  /** What the instruction at an address does. */
  public GcnOpcode opcode(long pc) {
    return at(pc).code.opcode;
  }

  /** Words at which instructions have been decoded so far. */
  public List<Integer> decoded() {
    return IntStream.range(0, instructions.length)
        .filter(i -> instructions[i] != null)
        .boxed()
        .toList();
  }

  /** Decodes the instructions at these words. */
  public void decode(List<Integer> words) {
    words.forEach(word -> at(start + 4L * word));
  }

  TimedInstruction at(long pc) {
    long index = pc - start >> 2;
    if (index < 0 || index >= instructions.length) {
      throw new IllegalStateException(
          String.format(
              "execution left the code: PC 0x%x, code object 0x%x to 0x%x",
              pc, start, start + 4L * instructions.length));
    }
    TimedInstruction known = instructions[(int) index];
    if (known == null) {
      known = new TimedInstruction(program.at(pc), spec);
      instructions[(int) index] = known;
    }
    return known;
  }
}
