package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import dev.warpline.trace.WarpTrace;
import java.util.List;
import java.util.Set;

/** A load, a store, an atomic, or a copy to shared memory; it remembers its last addresses. */
abstract class MemoryInstruction implements RecordedOperation {
  private static final Set<String> MNEMONICS =
      Set.of(
          "LD", "LDG", "LDS", "LDL", "ST", "STG", "STS", "STL", "ATOM", "ATOMG", "ATOMS", "RED",
          "REDG", "LDGSTS", "LDSM", "STSM");

  /** Modifiers that say how caches treat an access, or what its width is. */
  private static final Set<String> KNOWN =
      Set.of(
          "E",
          "SYS",
          "GPU",
          "SM",
          "CTA",
          "STRONG",
          "WEAK",
          "CONSTANT",
          "PRIVATE",
          "MMIO",
          "EF",
          "EL",
          "LU",
          "EU",
          "NA",
          "LTC64B",
          "LTC128B",
          "LTC256B",
          "BYPASS",
          "ACCESS",
          "U",
          "64",
          "128",
          "U8",
          "S8",
          "U16",
          "S16",
          "16",
          "M88",
          "MT88",
          "2",
          "4",
          "32",
          "ZFILL");

  /** Kinds of memory. */
  enum Space {
    GLOBAL,
    SHARED,
    LOCAL,
    /** Shared memory of another block of the cluster. */
    CLUSTER,
    GENERIC
  }

  /** Addresses of the lanes, as the trace shows them. */
  final long[] addresses = new long[Warp.LANES];

  static boolean isMemory(SassInstruction instruction) {
    return MNEMONICS.contains(instruction.mnemonic());
  }

  /** Bytes of a lane's access, 0 for other instructions. */
  static int width(SassInstruction instruction) {
    if (!isMemory(instruction)) {
      return AsyncOperations.width(instruction);
    }
    if (instruction.mnemonic().endsWith("SM")) {
      return 2; // an element, as tracers say
    }
    return switch (instruction.oneOf("", "U8", "S8", "U16", "S16", "64", "128", "F64")) {
      case "U8", "S8" -> 1;
      case "U16", "S16" -> 2;
      case "64", "F64" -> 8;
      case "128" -> 16;
      default -> 4;
    };
  }

  static int matrices(SassInstruction instruction) {
    return instruction.has("4") ? 4 : instruction.has("2") ? 2 : 1;
  }

  static MemoryInstruction of(SassInstruction instruction) {
    String mnemonic = instruction.mnemonic();
    boolean atomic = mnemonic.startsWith("ATOM") || mnemonic.startsWith("RED");
    if (!atomic) {
      for (String modifier : instruction.modifiers()) {
        if (!KNOWN.contains(modifier)) {
          throw instruction.unsupported("modifier ." + modifier + " is not emulated");
        }
      }
    }
    List<Operand> memory = instruction.of(Kind.MEMORY);
    if (memory.size() != (mnemonic.equals("LDGSTS") ? 2 : 1)) {
      throw instruction.unsupported("expected an address in brackets");
    }
    Address address = new Address(memory.get(0), space(mnemonic));
    return switch (mnemonic) {
      case "LDGSTS" ->
          new AsyncCopy(
              instruction,
              new Address(memory.get(0), Space.SHARED),
              new Address(memory.get(1), Space.GLOBAL));
      case "LDSM" -> new MatrixLoad(instruction, address);
      case "STSM" -> new MatrixStore(instruction, address);
      default ->
          atomic
              ? new Atomic(instruction, address)
              : mnemonic.startsWith("L")
                  ? new Load(instruction, address)
                  : new Store(instruction, address);
    };
  }

  private static Space space(String mnemonic) {
    return switch (mnemonic) {
      case "LDS", "STS", "ATOMS", "LDSM", "STSM" -> Space.SHARED;
      case "LDL", "STL" -> Space.LOCAL;
      case "LD", "ST", "ATOM", "RED" -> Space.GENERIC;
      default -> Space.GLOBAL;
    };
  }

  @Override
  public void record(WarpTrace trace, int mask) {
    trace.addresses(addresses);
  }

  static int extend(int word, int bytes, boolean signed) {
    return switch (bytes) {
      case 1 -> signed ? (byte) word : word & 0xff;
      case 2 -> signed ? (short) word : word & 0xffff;
      default -> word;
    };
  }

  /** An address operand. */
  static final class Address {
    private final Operand operand;
    private final Space space;
    private final boolean wide;
    private final int scale;

    Address(Operand operand, Space space) {
      this.operand = operand;
      this.space = space;
      // Atomics leave out the ".64" that loads have.
      this.wide = !operand.selector().startsWith("U32") && operand.index() != Warp.ZERO;
      this.scale =
          switch (operand.selector()) {
            case "X4" -> 2;
            case "X8" -> 3;
            case "X16" -> 4;
            default -> 0;
          };
    }

    /** Where the lanes of a mask point to. */
    void compute(Warp warp, int mask, long[] out) {
      int[] base = warp.registers[operand.index()];
      int[] uniform = warp.registers[operand.second()];
      long offset = operand.value();
      if (space == Space.SHARED || space == Space.LOCAL) {
        for (int m = mask; m != 0; m &= m - 1) {
          int lane = Integer.numberOfTrailingZeros(m);
          out[lane] = Words64.unsigned((base[lane] << scale) + uniform[lane] + (int) offset);
        }
        return;
      }
      boolean zero = operand.index() == Warp.ZERO;
      int[] baseHigh = warp.registers[zero ? Warp.ZERO : operand.index() + 1];
      boolean noUniform = operand.second() == Warp.UNIFORM_ZERO;
      int[] uniformHigh = warp.registers[noUniform ? Warp.UNIFORM_ZERO : operand.second() + 1];
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long address =
            wide ? Words64.join(base[lane], baseHigh[lane]) : Words64.unsigned(base[lane]);
        out[lane] = address + Words64.join(uniform[lane], uniformHigh[lane]) + offset;
      }
    }

    Space space(Warp warp, long address) {
      if (space != Space.GENERIC) {
        return space;
      }
      long shared = address - warp.block.sharedBase() >> 24;
      if (shared >= 0 && shared < warp.block.cluster().size()) {
        return shared == warp.block.rank() ? Space.SHARED : Space.CLUSTER;
      }
      long local = address - warp.block.localBase();
      return local >= 0 && local < LocalMemory.WINDOW ? Space.LOCAL : Space.GLOBAL;
    }
  }

  static int load(Warp warp, Space space, long address, int lane, int bytes, boolean signed) {
    switch (space) {
      case SHARED -> {
        int at = (int) address & 0xffffff;
        return Bytes.load(warp.block.shared().at(at, bytes), at, bytes, signed);
      }
      case CLUSTER -> {
        int at = (int) address & 0xffffff;
        BlockMemory memory = warp.block.cluster().owner(warp.block, (int) address).shared();
        return Bytes.load(memory.at(at, bytes), at, bytes, signed);
      }
      case LOCAL -> {
        return warp.local.load((int) address & 0xffffff, lane, bytes, signed);
      }
      default -> {
        EmulatedMemory.Page page = warp.block.memory().at(address, bytes);
        return Bytes.load(page.content, (int) (address - page.address), bytes, signed);
      }
    }
  }

  static void store(Warp warp, Space space, long address, int lane, int bytes, int value) {
    switch (space) {
      case SHARED -> {
        int at = (int) address & 0xffffff;
        Bytes.store(warp.block.shared().at(at, bytes), at, bytes, value);
      }
      case CLUSTER -> {
        int at = (int) address & 0xffffff;
        BlockMemory memory = warp.block.cluster().owner(warp.block, (int) address).shared();
        Bytes.store(memory.at(at, bytes), at, bytes, value);
      }
      case LOCAL -> warp.local.store((int) address & 0xffffff, lane, bytes, value);
      default -> {
        EmulatedMemory.Page page = warp.block.memory().toWrite(address, bytes);
        Bytes.store(page.content, (int) (address - page.address), bytes, value);
      }
    }
  }

  static void align(long address, int bytes) {
    if ((address & bytes - 1) != 0) {
      throw new AddressFault(
          String.format("accesses %d bytes at 0x%x, which is not aligned", bytes, address));
    }
  }

  private static final class Load extends MemoryInstruction {
    private final Address address;
    private final Form form;
    private final int bytes;
    private final boolean signed;

    Load(SassInstruction instruction, Address address) {
      this.address = address;
      form = Form.of(instruction);
      bytes = width(instruction);
      signed = instruction.has("S8") || instruction.has("S16");
    }

    @Override
    public void execute(Warp warp, int mask) {
      address.compute(warp, mask, addresses);
      if (address.space == Space.GLOBAL) {
        global(warp, mask);
        return;
      }
      boolean words = bytes >= 4 && address.space == Space.SHARED;
      for (int i = 0; i < bytes; i += 4) {
        int[] out = warp.registers[form.next(i >> 2)];
        for (int m = mask; m != 0; m &= m - 1) {
          int lane = Integer.numberOfTrailingZeros(m);
          long at = addresses[lane];
          align(at, bytes);
          out[lane] =
              words
                  ? warp.block.shared().word(((int) at & 0xffffff) + i)
                  : load(warp, address.space(warp, at), at + i, lane, Math.min(4, bytes), signed);
        }
      }
    }

    /** Lanes mostly read the page of the lane before. */
    private void global(Warp warp, int mask) {
      int[][] registers = warp.registers;
      EmulatedMemory memory = warp.block.memory();
      EmulatedMemory.Page page = null;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long at = addresses[lane];
        align(at, bytes);
        if (page == null || !page.has(at)) {
          page = memory.at(at, bytes);
        }
        int offset = (int) (at - page.address);
        if (bytes < 4) {
          registers[form.next(0)][lane] = Bytes.load(page.content, offset, bytes, signed);
        }
        for (int i = 0; i + 4 <= bytes; i += 4) {
          registers[form.next(i >> 2)][lane] = Bytes.word(page.content, offset + i);
        }
      }
    }
  }

  private static final class Store extends MemoryInstruction {
    private final Address address;
    private final int first;
    private final int bytes;

    Store(SassInstruction instruction, Address address) {
      this.address = address;
      Operand value = instruction.operand(1);
      if (!value.is(Kind.REGISTER)) {
        throw instruction.unsupported("expected a register to store");
      }
      first = value.index();
      bytes = width(instruction);
    }

    @Override
    public void execute(Warp warp, int mask) {
      address.compute(warp, mask, addresses);
      boolean constant = first == Warp.ZERO || first == Warp.UNIFORM_ZERO;
      if (address.space == Space.GLOBAL) {
        global(warp, mask, constant ? 0 : 1);
        return;
      }
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long at = addresses[lane];
        align(at, bytes);
        Space space = address.space(warp, at);
        for (int i = 0; i < bytes; i += 4) {
          int word = warp.registers[constant ? first : first + (i >> 2)][lane];
          store(warp, space, at + i, lane, Math.min(4, bytes), word);
        }
      }
    }

    /**
     * Lanes mostly write the page of the lane before.
     *
     * @param step from a register to that of the next word
     */
    private void global(Warp warp, int mask, int step) {
      int[][] registers = warp.registers;
      EmulatedMemory memory = warp.block.memory();
      EmulatedMemory.Page page = null;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long at = addresses[lane];
        align(at, bytes);
        if (page == null || !page.has(at)) {
          page = memory.toWrite(at, bytes);
        }
        int offset = (int) (at - page.address);
        if (bytes < 4) {
          Bytes.store(page.content, offset, bytes, registers[first][lane]);
        }
        for (int i = 0; i + 4 <= bytes; i += 4) {
          Bytes.word(page.content, offset + i, registers[first + step * (i >> 2)][lane]);
        }
      }
    }
  }

  /** LDGSTS: copies from global to shared memory; done at once. */
  private static final class AsyncCopy extends MemoryInstruction {
    private final Address to;
    private final Address from;
    private final int bytes;
    private final Form.Input present;
    private final long[] globals = new long[Warp.LANES];

    AsyncCopy(SassInstruction instruction, Address to, Address from) {
      this.to = to;
      this.from = from;
      bytes = width(instruction);
      List<Operand> predicates = instruction.of(Kind.PREDICATE);
      present = predicates.isEmpty() ? Form.Input.ALWAYS : new Form.Input(predicates.get(0));
    }

    @Override
    public void record(WarpTrace trace, int mask) {
      trace.addresses(globals);
      trace.addresses(addresses);
    }

    @Override
    public void execute(Warp warp, int mask) {
      to.compute(warp, mask, addresses);
      from.compute(warp, mask, globals);
      int copied = present.read(warp);
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        align(globals[lane], bytes);
        for (int i = 0; i < bytes; i += 4) {
          int word =
              (copied >> lane & 1) != 0
                  ? load(warp, Space.GLOBAL, globals[lane] + i, lane, 4, false)
                  : 0;
          store(warp, Space.SHARED, addresses[lane] + i, lane, 4, word);
        }
      }
    }
  }

  /** LDSM: lanes 8i to 8i+7 point to the rows of matrix i; every lane gets two elements of each. */
  private static final class MatrixLoad extends MemoryInstruction {
    private static final int ROWS = 8;

    private final Address address;
    private final Form form;
    private final int matrices;
    private final boolean transposed;

    MatrixLoad(SassInstruction instruction, Address address) {
      this.address = address;
      form = Form.of(instruction);
      matrices = matrices(instruction);
      transposed = instruction.has("MT88");
      if (!instruction.has("16")) {
        throw instruction.unsupported("expected elements of 16 bits");
      }
    }

    @Override
    public void execute(Warp warp, int mask) {
      address.compute(warp, mask, addresses);
      for (int i = 0; i < matrices; i++) {
        int[] out = warp.registers[form.next(i)];
        for (int lane = 0; mask != 0 && lane < Warp.LANES; lane++) {
          if (transposed) {
            int column = 2 * (lane >> 2);
            int row = ROWS * i + 2 * (lane & 3);
            out[lane] =
                load(warp, Space.SHARED, addresses[row] + column, lane, 2, false)
                    | load(warp, Space.SHARED, addresses[row + 1] + column, lane, 2, false) << 16;
          } else {
            long row = addresses[ROWS * i + (lane >> 2)];
            out[lane] = load(warp, Space.SHARED, row + 4L * (lane & 3), lane, 4, false);
          }
        }
      }
    }
  }

  /** STSM: as LDSM, the other way round. */
  private static final class MatrixStore extends MemoryInstruction {
    private static final int ROWS = 8;

    private final Address address;
    private final int first;
    private final int matrices;
    private final boolean transposed;

    MatrixStore(SassInstruction instruction, Address address) {
      this.address = address;
      List<Operand> registers = instruction.of(Kind.REGISTER);
      if (registers.isEmpty() || !instruction.has("16")) {
        throw instruction.unsupported("expected registers with elements of 16 bits");
      }
      first = registers.get(0).index();
      matrices = matrices(instruction);
      transposed = instruction.has("MT88");
    }

    @Override
    public void execute(Warp warp, int mask) {
      address.compute(warp, mask, addresses);
      for (int i = 0; i < matrices; i++) {
        int[] in = warp.registers[first == Warp.ZERO ? first : first + i];
        for (int lane = 0; lane < Warp.LANES; lane++) {
          if (transposed) {
            int column = 2 * (lane >> 2);
            int row = ROWS * i + 2 * (lane & 3);
            store(warp, Space.SHARED, addresses[row] + column, lane, 2, in[lane]);
            store(warp, Space.SHARED, addresses[row + 1] + column, lane, 2, in[lane] >>> 16);
          } else {
            long row = addresses[ROWS * i + (lane >> 2)];
            store(warp, Space.SHARED, row + 4L * (lane & 3), lane, 4, in[lane]);
          }
        }
      }
    }
  }
}
