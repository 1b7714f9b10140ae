package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnDecodeException;
import dev.warpline.isa.gcn.GcnDecoder;
import dev.warpline.isa.gcn.GcnTarget;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Loaded code: the operation at each PC, decoded when it is first reached. May be shared between
 * threads.
 */
public final class DecodedCode {
  private final GcnTarget target;
  private final long base;
  private final int[] words;
  private final Operation[] operations;

  /**
   * @param base address of the first word
   * @param words the code, as it is in memory
   */
  public DecodedCode(GcnTarget target, long base, int[] words) {
    this.target = target;
    this.base = base;
    this.words = words;
    this.operations = new Operation[words.length];
  }

  /** Code that lies in device memory. */
  public static DecodedCode load(GcnTarget target, DeviceMemory memory, long address, int bytes) {
    return new DecodedCode(target, address, memory.readInts(address, bytes / 4));
  }

  public GcnTarget target() {
    return target;
  }

  /** The operation at {@code pc}. */
  public Operation at(long pc) {
    long index = pc - base >> 2;
    if (index < 0 || index >= operations.length || (pc & 3) != 0) {
      throw new ExecutionFault(
          String.format(
              "PC 0x%x lies outside of the code at 0x%x to 0x%x",
              pc, base, base + 4L * words.length),
          pc,
          null);
    }
    Operation operation = operations[(int) index];
    return operation != null ? operation : decode((int) index, pc);
  }

  /** Words at which operations have been decoded so far. */
  public List<Integer> decoded() {
    return IntStream.range(0, operations.length)
        .filter(i -> operations[i] != null)
        .boxed()
        .toList();
  }

  /** Decodes the operations at these words. */
  public void decode(List<Integer> indexes) {
    indexes.forEach(index -> at(base + 4L * index));
  }

  private Operation decode(int index, long pc) {
    try {
      Operation operation = Semantics.bind(GcnDecoder.decode(target, words, index));
      operations[index] = operation;
      return operation;
    } catch (GcnDecodeException e) {
      throw new ExecutionFault(String.format("PC 0x%x: %s", pc, e.getMessage()), pc, e);
    }
  }
}
