package dev.warpline.study.sample;

import dev.warpline.isa.Instruction;
import dev.warpline.isa.Pipe;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.Payload;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * What tells whether two launches do the same work, without simulating them: the same code and
 * launch, and a few blocks that execute and touch alike.
 *
 * @param shape name, grid, block and resources in words
 * @param code hash of the first instructions of the first block
 * @param numbers instructions, sectors and lines of some blocks; more means more
 * @param mix share of each pipe in the instructions
 */
record LaunchFeatures(String shape, int code, double[] numbers, double[] mix) {
  /** Blocks that are looked at, evenly over the grid. */
  private static final int BLOCKS = 6;

  private static final int FIRST_INSTRUCTIONS = 64;
  private static final int SECTOR_BITS = 5;
  private static final int LINE_BITS = 7;

  /** Launches whose numbers differ by more do not do the same. */
  private static final double ALIKE = 0.03;

  static LaunchFeatures of(KernelTrace kernel) throws IOException {
    KernelHeader header = kernel.header();
    long blocks = header.grid().count();
    int looked = (int) Math.min(blocks, BLOCKS);
    BlockTrace block = new BlockTrace();
    int code = 1;
    double[] mix = new double[Pipe.values().length];
    double instructions = 0;
    double sectors = 0;
    Set<Long> lines = new HashSet<>();
    for (int i = 0; i < looked; i++) {
      kernel.requireBlock(looked == 1 ? 0 : (blocks - 1) * i / (looked - 1), block);
      if (i == 0) {
        code = code(kernel, block);
      }
      instructions += block.instructions();
      for (int k = 0; k < block.instructions(); k++) {
        Instruction one = kernel.code().get(block.row(k));
        mix[one.opcode().pipe().ordinal()]++;
        if (block.payload(k) != BlockTrace.NO_PAYLOAD && one.opcode().isMemory()) {
          sectors += sectors(block, k, lines);
        }
      }
    }
    for (int i = 0; i < mix.length; i++) {
      mix[i] /= Math.max(1, instructions);
    }
    String shape =
        String.join(
            " ",
            header.name(),
            header.grid().toString(),
            header.block().toString(),
            "" + header.sharedBytes(),
            "" + header.registers(),
            header.cluster().toString());
    return new LaunchFeatures(shape, code, new double[] {instructions, sectors, lines.size()}, mix);
  }

  private static int code(KernelTrace kernel, BlockTrace block) {
    int hash = 1;
    for (int i = 0; i < Math.min(FIRST_INSTRUCTIONS, block.instructions()); i++) {
      Instruction one = kernel.code().get(block.row(i));
      hash = 31 * (31 * hash + one.pc()) + one.text().hashCode();
    }
    return hash;
  }

  private static int sectors(BlockTrace block, int index, Set<Long> lines) {
    long[] data = block.data();
    int at = block.payload(index);
    int kind = Payload.kind(data, at);
    int lanes = Integer.bitCount(block.mask(index));
    long last = -1;
    int count = 0;
    for (int i = 0; i < lanes && (kind == Payload.STRIDE || kind == Payload.LIST); i++) {
      long address =
          kind == Payload.STRIDE ? data[at + 1] + i * data[at + 2] : Payload.listed(data, at, i);
      if (address >> SECTOR_BITS != last) {
        last = address >> SECTOR_BITS;
        count++;
        lines.add(address >> LINE_BITS);
      }
    }
    return count;
  }

  /** Whether another launch does the same work, as far as can be seen. */
  boolean alike(LaunchFeatures other) {
    if (code != other.code || !shape.equals(other.shape)) {
      return false;
    }
    for (int i = 0; i < numbers.length; i++) {
      if (Math.abs(numbers[i] - other.numbers[i])
          > ALIKE * Math.max(numbers[i], other.numbers[i])) {
        return false;
      }
    }
    for (int i = 0; i < mix.length; i++) {
      if (Math.abs(mix[i] - other.mix[i]) > ALIKE) {
        return false;
      }
    }
    return true;
  }
}
