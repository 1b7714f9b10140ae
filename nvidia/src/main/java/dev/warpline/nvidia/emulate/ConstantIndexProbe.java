package dev.warpline.nvidia.emulate;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.RegisterGroups;
import dev.warpline.isa.SassOperand.Kind;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.Payload;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Finds which words the lanes of a constant load with a register index read. Traces do not say the
 * addresses of LDC, so the instructions that the indexes come from are executed along the trace:
 * what follows from the thread's place in the block is exact; parameters are made up, one value for
 * all lanes; what memory holds is made up by address. A field of two bits of unknown data so takes
 * four values, a byte 256, and equal addresses give equal indexes.
 */
public final class ConstantIndexProbe {
  /** Told of every load with a register index. */
  @FunctionalInterface
  public interface Listener {
    /**
     * @param warp warp of the block; warps come in order
     * @param row static instruction
     * @param mask lanes that load
     * @param bank constant bank
     * @param offsets byte offset in the bank by lane; those outside the mask mean nothing
     */
    void load(int warp, int row, int mask, int bank, int[] offsets);
  }

  /** Registers of a wide operand of the uniform datapath, and its predicates. */
  private static final int UNIFORM_WORDS = 2;

  private static final int UNIFORM_PREDICATES = Warp.UNIFORM_PREDICATE;
  private static final int BANKS = 5;
  private static final int BANK_BYTES = 1 << 16;

  /** Special registers that are the same for the same thread of another block, as they begin. */
  private static final List<String> OF_THE_THREAD =
      List.of(
          "SR_TID.", "SR_LANEID", "SR_EQMASK", "SR_LTMASK", "SR_LEMASK", "SR_GTMASK", "SR_GEMASK");

  private final CodeTable table;
  private final Dim3 grid;
  private final Block block;
  private final List<Step> steps = new ArrayList<>();

  /**
   * By row: what a constant load does; null for other rows, and where the listing says too little.
   */
  private final List<ConstantRead> reads = new ArrayList<>();

  private final BitSet needed = new BitSet();

  /** Whether one of these says which block it is, or reads memory. */
  private boolean tellsBlocksApart;

  private int analysed;
  private final long[] addresses = new long[Warp.LANES];
  private final int[] offsets = new int[Warp.LANES];

  public ConstantIndexProbe(CodeTable table, Dim3 grid, Dim3 blockSize) {
    this.table = table;
    this.grid = grid;
    block =
        new BlockCluster(
                new Launch("", grid, blockSize, Dim3.ONE, 0, 0, 0, banks(grid, blockSize), null))
            .block(0);
  }

  private static ConstantBanks banks(Dim3 grid, Dim3 size) {
    ConstantBanks banks = new ConstantBanks();
    for (int bank = 0; bank < BANKS; bank++) {
      byte[] content = new byte[BANK_BYTES];
      for (int at = 0; at < BANK_BYTES; at += 4) {
        Bytes.word(content, at, made(constantKey(bank, at)));
      }
      if (bank == 0) {
        int[] sizes = {size.x(), size.y(), size.z(), grid.x(), grid.y(), grid.z()};
        for (int i = 0; i < sizes.length; i++) {
          Bytes.word(content, 4 * i, sizes[i]);
        }
      }
      banks.put(bank, 0, content);
    }
    return banks;
  }

  private static long constantKey(int bank, int offset) {
    return 1L << 60 | (long) bank << 32 | offset & 0xffffffffL;
  }

  /** What unknown data is taken to be: any number, the same for the same key. */
  private static int made(long key) {
    long z = (key + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return (int) ((z ^ z >>> 31) >>> 32);
  }

  /** Executes what the indexes of a block's loads come from, warp by warp. */
  public void run(BlockTrace trace, Listener listener) {
    long id = trace.blockId();
    block.place(
        (int) (id % grid.x()), (int) (id / grid.x() % grid.y()), (int) (id / grid.x() / grid.y()));
    findNeeded();
    for (int w = 0; w < trace.warps(); w++) {
      run(trace, w, listener);
    }
  }

  private void run(BlockTrace trace, int w, Listener listener) {
    Warp warp = block.warp(w);
    warp.start(Math.min(Warp.LANES, (int) block.size().count() - w * Warp.LANES));
    int end = trace.start(w) + trace.count(w);
    for (int i = trace.start(w); i < end; i++) {
      int mask = trace.mask(i);
      int row = trace.row(i);
      if (mask == 0 || !needed.get(row)) {
        continue;
      }
      Step step = step(row);
      ConstantRead read = reads.get(row);
      if (read != null) {
        constantLoad(warp, row, read, mask, listener);
      } else if (step == null || isConstantLoad(step)) {
        unknown(warp, table.get(row), mask, i);
      } else if (step.recorded != null) {
        loaded(warp, table.get(row), step, mask, trace, i);
      } else if (step.operation != null) {
        try {
          step.operation.execute(warp, step.uniform ? -1 : mask);
        } catch (AddressFault e) {
          unknown(warp, table.get(row), mask, i);
        }
      }
    }
  }

  private static boolean isConstantLoad(Step step) {
    return step.instruction.mnemonic().endsWith("LDC");
  }

  /**
   * Finds the instructions that the indexes come from: those that write a register or predicate
   * which one of them reads. Addresses of memory and masks are in the trace.
   */
  private void findNeeded() {
    if (analysed == table.size()) {
      return;
    }
    analysed = table.size();
    needed.clear();
    BitSet registers = new BitSet();
    BitSet predicates = new BitSet();
    boolean more = true;
    while (more) {
      more = false;
      for (int row = 0; row < analysed; row++) {
        if (!needed.get(row) && (isLoad(row) || writes(row, registers, predicates))) {
          needed.set(row);
          addSources(row, registers, predicates);
          more = true;
        }
      }
    }
    tellsBlocksApart = needed.stream().anyMatch(this::tellsBlocksApart);
  }

  /**
   * Whether the loads of the last block are those of all blocks that execute the same instructions
   * with the same lanes: nothing that their indexes come from is another one in another block.
   */
  public boolean isAlikeInAllBlocks() {
    return !tellsBlocksApart;
  }

  private boolean tellsBlocksApart(int row) {
    Step step = step(row);
    if (step == null || isConstantLoad(step)) {
      return false;
    }
    String text = table.get(row).disassembly();
    int special = text.indexOf("SR_");
    return step.recorded != null
        || special >= 0 && OF_THE_THREAD.stream().noneMatch(sr -> text.startsWith(sr, special));
  }

  private boolean isLoad(int row) {
    return step(row) != null && table.get(row).isIndexedByLane();
  }

  private boolean writes(int row, BitSet registers, BitSet predicates) {
    Instruction in = table.get(row);
    for (int first : in.destinations()) {
      int end = first + RegisterGroups.destination(in);
      int found = registers.nextSetBit(first);
      if (first != Warp.ZERO && found >= 0 && found < end) {
        return true;
      }
    }
    Step step = step(row);
    if (step == null || step.instruction.operands().isEmpty()) {
      return false;
    }
    Operand target = step.instruction.operand(0);
    if (target.is(Kind.REGISTER) && target.uniform()) {
      int found = registers.nextSetBit(target.index());
      if (found >= 0 && found < target.index() + UNIFORM_WORDS) {
        return true;
      }
    }
    // Whether a predicate is read or written does not show; taking readers along does no harm.
    return step.instruction.of(Kind.PREDICATE).stream().anyMatch(p -> predicates.get(p.index()));
  }

  private void addSources(int row, BitSet registers, BitSet predicates) {
    Instruction in = table.get(row);
    Step step = step(row);
    if (step == null || step.recorded != null) {
      return;
    }
    for (int k = 0; k < in.sources().length; k++) {
      int first = in.sources()[k];
      if (first != Warp.ZERO) {
        registers.set(first, Math.min(Warp.ZERO, first + RegisterGroups.source(in, k)));
      }
    }
    for (Operand operand : step.instruction.operands()) {
      if (operand.is(Kind.CONSTANT) && operand.index() != Warp.ZERO) {
        registers.set(operand.index());
      } else if (operand.is(Kind.REGISTER) && operand.uniform()) {
        registers.set(operand.index(), operand.index() + UNIFORM_WORDS);
      } else if (operand.is(Kind.PREDICATE) && operand.index() % UNIFORM_PREDICATES != Warp.TRUE) {
        predicates.set(operand.index());
      }
    }
  }

  /** A row made ready to run, null if its listing is absent or not understood. */
  private Step step(int row) {
    while (steps.size() <= row) {
      Instruction in = table.get(steps.size());
      Step step = null;
      if (in.disassembly() != null) {
        try {
          step = new Step(SassParser.parse(in.pc(), in.disassembly()));
        } catch (EmulationException | UnsupportedInstructionException e) {
          // What it writes is unknown data then.
        }
      }
      steps.add(step);
      reads.add(step != null && isConstantLoad(step) ? ConstantRead.of(in, step) : null);
    }
    return steps.get(row);
  }

  /**
   * What a constant load reads and writes.
   *
   * @param index register of the index
   * @param offset added to it
   * @param bytes of a word that is loaded
   * @param words registers that it writes, from the first on
   */
  private record ConstantRead(
      int index, int offset, int bank, int bytes, int first, int words, boolean uniform) {
    /** Null if the listing does not say enough. */
    static ConstantRead of(Instruction in, Step step) {
      List<Operand> constants = step.instruction.of(Kind.CONSTANT);
      List<Operand> registers = step.instruction.of(Kind.REGISTER);
      if (constants.isEmpty() || registers.isEmpty()) {
        return null;
      }
      Operand from = constants.get(0);
      int first = registers.get(0).index();
      boolean uniform = first >= Warp.UNIFORM;
      boolean nowhere = first == Warp.ZERO || first == Warp.UNIFORM_ZERO;
      int words = uniform ? step.instruction.has("64") ? 2 : 1 : RegisterGroups.destination(in);
      return new ConstantRead(
          from.index(),
          (int) from.value(),
          from.second(),
          MemoryInstruction.width(step.instruction),
          first,
          nowhere ? 0 : words,
          uniform);
    }

    boolean isIndexedByLane() {
      return index != Warp.ZERO && index < Warp.UNIFORM;
    }
  }

  private void constantLoad(Warp warp, int row, ConstantRead read, int mask, Listener listener) {
    int[] index = warp.registers[read.index];
    for (int lane = 0; lane < Warp.LANES; lane++) {
      offsets[lane] = index[lane] + read.offset;
    }
    if (read.isIndexedByLane()) {
      listener.load(warp.id, row, mask, read.bank, offsets);
    }
    for (int k = 0; k < read.words; k++) {
      int most = read.uniform ? Warp.DISCARD : Warp.ZERO - 1;
      int[] target = warp.registers[Math.min(read.first + k, most)];
      int last = 0;
      int value = 0;
      boolean known = false;
      for (int m = read.uniform ? -1 : mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        if (!known || offsets[lane] != last) {
          last = offsets[lane];
          value = narrow(made(constantKey(read.bank, last + 4 * k)), read.bytes);
          known = true;
        }
        target[lane] = value;
      }
    }
  }

  private static int narrow(int value, int bytes) {
    return bytes == 1 ? value & 0xff : bytes == 2 ? value & 0xffff : value;
  }

  /** A load: what memory holds is made up by its address. */
  private void loaded(Warp warp, Instruction in, Step step, int mask, BlockTrace trace, int index) {
    int payload = trace.payload(index);
    if (in.destinations().length == 0) {
      return;
    }
    if (payload < 0 || Payload.kind(trace.data(), payload) > Payload.LIST) {
      unknown(warp, in, mask, index);
      return;
    }
    Payload.addresses(trace.data(), payload, mask, addresses);
    int width = MemoryInstruction.width(step.instruction);
    write(warp, in, mask, (lane, k) -> narrow(made(addresses[lane] + 4L * k), width));
  }

  private void unknown(Warp warp, Instruction in, int mask, int index) {
    write(warp, in, mask, (lane, k) -> made(3L << 60 | (long) index << 16 | k << 8 | lane));
  }

  private interface Values {
    int of(int lane, int word);
  }

  private static void write(Warp warp, Instruction in, int mask, Values values) {
    for (int first : in.destinations()) {
      int words = RegisterGroups.destination(in);
      for (int k = 0; k < words && first + k < Warp.ZERO; k++) {
        for (int m = mask; m != 0; m &= m - 1) {
          int lane = Integer.numberOfTrailingZeros(m);
          warp.registers[first + k][lane] = values.of(lane, k);
        }
      }
    }
  }
}
