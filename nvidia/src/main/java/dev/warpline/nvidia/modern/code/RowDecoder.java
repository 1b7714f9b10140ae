package dev.warpline.nvidia.modern.code;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.isa.ConstantOperand;
import dev.warpline.isa.ControlBits;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.MatrixShape;
import dev.warpline.isa.MemorySpace;
import dev.warpline.isa.Opcode;
import dev.warpline.isa.RegisterGroups;
import dev.warpline.isa.Registers;
import dev.warpline.isa.Role;
import dev.warpline.isa.SassOperand;
import dev.warpline.isa.SassOperand.Kind;
import java.util.Arrays;
import java.util.List;

/** Fills the rows of {@link CodeRows}: a static instruction in the terms of the modern core. */
final class RowDecoder {
  private static final int NO_LINE = -1;

  /** Bytes of a constant-cache line, as a shift. */
  private static final int CONSTANT_LINE = 6;

  /** Offsets in constant bank 0: the stack pointer, and where parameters begin. */
  private static final int STACK_POINTER = 0x28;

  private static final int VOLTA_PARAMETERS = 0x160;
  private static final int HOPPER_PARAMETERS = 0x210;

  /** The first generation with {@link #HOPPER_PARAMETERS}. */
  private static final int HOPPER = 90;

  private static final int LANES = 32;

  /** Named barriers of a block. */
  private static final int BARRIERS = 16;

  /** Register operands by position that ports read: A, B, C. */
  private static final int PORT_OPERANDS = 3;

  /**
   * Cycles until a matrix product's result may be read, beside those that its multiplications take.
   * Measured on an H200 (docs/hardware/h200/microbench.md, 3): HMMA.16816 24 of which the unit is
   * busy 6, DMMA.8x8x4 26 of which 8, DMMA.16x8x16 82 of which 64.
   */
  private static final int TENSOR_CYCLES = 18;

  /** Input width that the tensor rate is given for. */
  private static final double TENSOR_BITS = 16.0;

  /** Keeps a quotient that is whole but for rounding from becoming the next number. */
  private static final double ROUNDING = 0.01;

  private final CodeRows rows;
  private final ModernCoreSpec spec;
  private final AsyncDecoder async;
  private final int parameters;

  RowDecoder(CodeRows rows, ModernCoreSpec spec, int binaryVersion) {
    this.rows = rows;
    this.spec = spec;
    async = new AsyncDecoder(rows, spec);
    parameters = binaryVersion >= HOPPER ? HOPPER_PARAMETERS : VOLTA_PARAMETERS;
  }

  void decode(int row, Instruction in) {
    rows.pc[row] = in.pc();
    if (!in.opcode().known()) {
      rows.note(in.opcode().name() + ": unknown opcode, timed as a simple integer instruction");
    }
    control(row, in);
    if (!async.decode(row, in)) {
      unit(row, in);
      role(row, in);
    }
    if (rows.action[row] == CodeRows.MEMORY) {
      memory(row, in);
    }
    constants(row, in);
    operands(row, in);
    registers(row, in);
    if (rows.action[row] == CodeRows.DEPBAR) {
      depbar(row, in);
    }
    if (in.opcode().role() == Role.BARRIER) {
      barrier(row, in);
    }
  }

  private void control(int row, Instruction in) {
    int control = in.control();
    rows.reuse[row] = (byte) (in.hasControl() ? ControlBits.reuse(control) & 7 : 0);
    if (!rows.controlled || !in.hasControl()) {
      rows.stall[row] = 1;
      rows.yields[row] = false;
      rows.writeBarrier[row] = ControlBits.NO_BARRIER;
      rows.readBarrier[row] = ControlBits.NO_BARRIER;
      rows.waitMask[row] = 0;
      return;
    }
    rows.stall[row] = (byte) ControlBits.stall(control);
    rows.yields[row] = ControlBits.yields(control);
    rows.writeBarrier[row] = (byte) ControlBits.writeBarrier(control);
    rows.readBarrier[row] = (byte) ControlBits.readBarrier(control);
    rows.waitMask[row] = (byte) ControlBits.waitMask(control);
    rows.quiet[row] =
        rows.writeBarrier[row] == ControlBits.NO_BARRIER
            && rows.readBarrier[row] == ControlBits.NO_BARRIER;
  }

  /** Which unit it goes to, for how long, and when its result is there. */
  private void unit(int row, Instruction in) {
    ModernCoreSpec.Units units = spec.units();
    Opcode opcode = in.opcode();
    rows.action[row] = CodeRows.PLAIN;
    rows.dispatch[row] = 1;
    rows.lateStall[row] = 0;
    rows.branches[row] = opcode.role() == Role.BRANCH || opcode.role() == Role.EXIT;
    rows.fixed[row] = opcode.fixedLatency();
    rows.latency[row] = spec.issue().resultCycles();
    switch (opcode.pipe()) {
      case FMA -> rows.unit(row, CodeRows.UNIT_FMA, units.fma());
      case FMA_HEAVY -> {
        boolean wide = in.hasModifier("WIDE") || in.hasModifier("HI");
        rows.unit(row, CodeRows.UNIT_FMA, wide ? units.fmaWide() : units.fmaHeavy());
        rows.dispatch[row] = wide ? units.wideDispatch() : 1;
        rows.lateStall[row] = rows.dispatch[row] - 1;
      }
      case FP16 -> {
        // HFMA2.MMA runs in the pipe of double precision and tensor work.
        int unit = in.hasModifier("MMA") ? CodeRows.UNIT_FP64 : CodeRows.UNIT_FMA;
        rows.unit(row, unit, units.half());
      }
      case FP64 -> {
        rows.unit(row, CodeRows.UNIT_FP64, units.fp64());
        // 8 cycles where FFMA has 4: docs/hardware/h200/microbench.md, 3.
        rows.latency[row] = 2 * spec.issue().resultCycles();
      }
      case XU -> {
        rows.unit(row, CodeRows.UNIT_XU, units.xu());
        rows.dispatch[row] = units.xuDispatch();
        rows.action[row] = CodeRows.XU;
        rows.latency[row] = units.xuCycles();
      }
      case UNIFORM -> {
        rows.unit(row, CodeRows.UNIT_UNIFORM, units.uniform());
        if (!opcode.fixedLatency()) {
          rows.action[row] = CodeRows.SPECIAL_REGISTER;
          rows.latency[row] = units.specialRegisterCycles();
        }
      }
      case TENSOR -> tensor(row, in);
      case BRANCH -> rows.unit(row, CodeRows.UNIT_BRANCH, units.branch());
      case CONSTANT -> {
        rows.unit(row, CodeRows.UNIT_CONSTANT, 1);
        rows.action[row] = CodeRows.CONSTANT_LOAD;
        rows.fixed[row] = false;
      }
      case LSU -> {
        rows.unit(row, CodeRows.UNIT_LSU, 1);
        rows.fixed[row] = false;
        rows.action[row] = CodeRows.MEMORY;
      }
      case TEXTURE, TMA, GMMA -> {
        rows.unit(row, CodeRows.UNIT_NONE, 1);
        notModelled(opcode);
      }
      case MISC -> rows.unit(row, CodeRows.UNIT_NONE, 1);
      default -> rows.unit(row, CodeRows.UNIT_ALU, units.alu());
    }
  }

  private void notModelled(Opcode opcode) {
    rows.note(opcode.name() + ": not modelled by this core, timed as a simple instruction");
  }

  /** What it does beside occupying its unit. */
  private void role(int row, Instruction in) {
    ModernCoreSpec.LoadStore ls = spec.loadStore();
    switch (in.opcode().role()) {
      case SPECIAL -> {
        rows.unit(row, CodeRows.UNIT_NONE, 1);
        rows.action[row] = CodeRows.SPECIAL_REGISTER;
        rows.fixed[row] = false;
        rows.latency[row] = spec.units().specialRegisterCycles();
      }
      case SHUFFLE -> {
        rows.action[row] = CodeRows.SHUFFLE;
        rows.latency[row] = ls.shuffleCycles();
      }
      case EXIT -> rows.action[row] = CodeRows.EXIT;
      case BARRIER ->
          rows.action[row] = in.hasModifier("ARV") ? CodeRows.BARRIER_ARRIVE : CodeRows.BARRIER;
      case DEPBAR -> rows.action[row] = CodeRows.DEPBAR;
      case COMMIT -> {
        rows.action[row] = CodeRows.COPY_COMMIT;
        if (!rows.controlled) {
          // The counter that the compiler uses for groups of copies, and DEPBAR waits for.
          rows.writeBarrier[row] = 0;
        }
      }
      case FENCE -> {
        rows.action[row] = CodeRows.MEMBAR;
        rows.latency[row] =
            in.hasModifier("SYS")
                ? ls.membarSystem()
                : in.hasModifier("CTA") ? ls.membarBlock() : ls.membarGpu();
      }
      case SLEEP -> rows.action[row] = CodeRows.SLEEP;
      case CACHE -> rows.action[row] = CodeRows.CACHE_CONTROL;
      case UNMODELLED -> notModelled(in.opcode());
      default -> {}
    }
  }

  private void tensor(int row, Instruction in) {
    ModernCoreSpec.Units units = spec.units();
    MatrixShape shape = MatrixShape.of(in.text());
    double rate =
        shape.inputBits() == Double.SIZE
            ? units.dmmaRate()
            : units.tensorRate() * TENSOR_BITS / Math.max(1, shape.inputBits());
    int cycles = (int) Math.ceil(shape.multiplyAdds() / rate - ROUNDING);
    rows.unit(row, CodeRows.UNIT_TENSOR, Math.max(units.tensorFloor(), cycles));
    rows.latency[row] = TENSOR_CYCLES + cycles;
  }

  private void memory(int row, Instruction in) {
    Opcode opcode = in.opcode();
    MemorySpace where = opcode.space();
    boolean copy = opcode.role() == Role.COPY;
    rows.space[row] =
        copy
            ? CodeRows.SPACE_COPY
            : switch (where) {
              case SHARED -> CodeRows.SPACE_SHARED;
              case LOCAL -> CodeRows.SPACE_LOCAL;
              case GENERIC -> CodeRows.SPACE_GENERIC;
              default -> CodeRows.SPACE_GLOBAL;
            };
    if (where == MemorySpace.NONE) {
      rows.action[row] = CodeRows.CACHE_CONTROL;
      rows.note(opcode.name() + ": not modelled by this core, timed as a shuffle");
    }
    if (opcode.atomic()) {
      boolean returns = in.destinations().length > 0 && in.destinations()[0] != Registers.RZ;
      boolean reduction =
          opcode.result() == Opcode.Result.NONE || !returns && where != MemorySpace.SHARED;
      rows.access[row] = reduction ? CodeRows.REDUCTION : CodeRows.ATOMIC;
    } else {
      rows.access[row] = opcode.writes() && !copy ? CodeRows.STORE : CodeRows.LOAD;
    }
    rows.bytes[row] = (byte) in.accessBytes();
    rows.uniformAddress[row] = hasUniformAddress(in);
    boolean strong = in.hasModifier("STRONG") && (in.hasModifier("GPU") || in.hasModifier("SYS"));
    rows.bypassesL1[row] = opcode.atomic() || strong || in.hasModifier("BYPASS");
    rows.floating[row] =
        in.hasModifierLike("F32") || in.hasModifierLike("F16") || in.hasModifierLike("F64");
    rows.compareSwap[row] = in.hasModifierLike("CAS");
    rows.matrix[row] = opcode.role() == Role.MATRIX;
  }

  /** Whether a memory operand such as {@code [UR4+0x10]} names no regular register. */
  private static boolean hasUniformAddress(Instruction in) {
    boolean uniform = false;
    for (SassOperand operand : in.operands()) {
      if (operand.is(Kind.MEMORY)) {
        uniform = operand.register() == Registers.NONE && operand.uniform() != Registers.NONE;
      }
    }
    return uniform;
  }

  /** Where it reads constants: as an operand, or by a load. */
  private void constants(int row, Instruction in) {
    rows.constantLine[row] = NO_LINE;
    rows.loadLine[row] = NO_LINE;
    rows.indexed[row] = false;
    if (rows.fixed[row]) {
      boolean likely = in.constant() == null && in.opcode().space() == MemorySpace.CONSTANT;
      rows.constantLine[row] = likely ? likelyLine(in) : line(in.constant());
    } else if (rows.action[row] == CodeRows.CONSTANT_LOAD) {
      boolean byLane = in.isIndexedByLane();
      rows.indexed[row] = byLane && in.isListed();
      rows.hasIndexed |= rows.indexed[row];
      boolean likely = in.constant() == null && !byLane;
      rows.loadLine[row] = likely ? likelyLine(in) : line(in.constant());
      if (byLane && !in.isListed()) {
        rows.note(
            String.format(
                "LDC at 0x%04x: no listing says its index; taken as one word for all lanes",
                in.pc()));
      }
    }
  }

  /** Line of a constant with the bank in the upper half; a place by register counts as none. */
  private static int line(ConstantOperand constant) {
    return constant != null && constant.isFixed()
        ? constant.bank() << 16 | constant.offset() >> CONSTANT_LINE
        : NO_LINE;
  }

  /**
   * Line of a constant whose place nothing says: a function begins by reading its stack pointer,
   * and what else it reads at a fixed place is nearly always a parameter of the launch.
   */
  private int likelyLine(Instruction in) {
    boolean stackPointer =
        in.pc() == 0 && in.destinations().length == 1 && in.destinations()[0] == 1;
    return (stackPointer ? STACK_POINTER : parameters) >> CONSTANT_LINE;
  }

  /** Source registers by position, which register ports and the register-file cache go by. */
  private void operands(int row, Instruction in) {
    int first = CodeRows.POSITIONS * row;
    Arrays.fill(rows.operands, first, first + CodeRows.POSITIONS, (short) -1);
    Arrays.fill(rows.operandWords, first, first + CodeRows.POSITIONS, (byte) 0);
    if (!rows.fixed[row]) {
      return;
    }
    if (!in.isListed()) {
      int[] named = in.sources();
      for (int i = 0; i < Math.min(PORT_OPERANDS, named.length); i++) {
        operand(first + i, in, named[i], i);
      }
      return;
    }
    List<SassOperand> inputs = in.inputs();
    int index = 0;
    for (int i = 0; i < Math.min(PORT_OPERANDS, inputs.size()); i++) {
      SassOperand input = inputs.get(i);
      if (input.is(Kind.REGISTER) && Registers.isRegular(input.register())) {
        operand(first + i, in, input.register(), index++);
      }
    }
  }

  private void operand(int place, Instruction in, int register, int index) {
    if (register != Registers.RZ) {
      rows.operands[place] = (short) register;
      rows.operandWords[place] = (byte) RegisterGroups.source(in, index);
    }
  }

  private void registers(int row, Instruction in) {
    rows.guarded[row] = in.guard() != Registers.PT;
    rows.writeBanks[row] = 0;
    // As recorded: a result behind a predicate (SHFL PT, R4, R2) takes no write port here.
    for (int first : in.destinations()) {
      int words = first == Registers.RZ ? 0 : RegisterGroups.destination(in);
      for (int register = first; register < Math.min(first + words, Registers.RZ); register++) {
        rows.lastBank[row] = (byte) (register % spec.issue().banks());
        rows.writeBanks[row] |= (byte) (1 << rows.lastBank[row]);
      }
    }
    if (!rows.controlled) {
      rows.reads[row] = in.reads();
      rows.writes[row] = in.writes();
    }
  }

  /**
   * Fields of DEPBAR.LE: counter in bits 44-46, limit in 38-43, counters that must be 0 in 32-37.
   */
  private void depbar(int row, Instruction in) {
    rows.hasDepbar = true;
    if (in.low() != 0) {
      boolean le = (in.low() >>> 47 & 1) != 0;
      rows.depbarCounter[row] = le ? (int) (in.low() >>> 44) & 7 : ControlBits.NO_BARRIER;
      rows.depbarLimit[row] = (int) (in.low() >>> 38) & 63;
      rows.depbarZero[row] = (int) (in.low() >>> 32) & 63;
    } else if (in.isListed()) {
      // DEPBAR.LE SB0, 0x1, {4,3}
      rows.depbarCounter[row] = ControlBits.NO_BARRIER;
      rows.depbarLimit[row] = 0;
      rows.depbarZero[row] = 0;
      for (SassOperand operand : in.operands()) {
        if (operand.is(Kind.IMMEDIATE)) {
          rows.depbarLimit[row] = (int) operand.value();
        } else if (operand.text().startsWith("SB")) {
          rows.depbarCounter[row] = Integer.parseInt(operand.text().substring(2));
        } else {
          rows.depbarZero[row] |= counters(operand.text());
        }
      }
    } else {
      // Without word and listing: the form the compiler emits for copy groups.
      rows.depbarCounter[row] = 0;
      rows.depbarLimit[row] = (int) in.immediate();
      rows.depbarZero[row] = 0;
    }
  }

  /** Mask of the counters in a list such as {@code {4,3}}. */
  private static int counters(String list) {
    return list.chars()
        .filter(Character::isDigit)
        .map(c -> 1 << c - '0')
        .reduce(0, (a, b) -> a | b);
  }

  private void barrier(int row, Instruction in) {
    int[] numbers = in.integers();
    int recorded = (int) in.immediate();
    if (numbers.length == 0 && recorded >= LANES) {
      // Old traces have the last immediate: without a listing only the threads are known.
      rows.barrierWarps[row] = recorded / LANES;
      rows.barrier[row] = CodeRows.UNNAMED;
    } else {
      rows.barrier[row] = (numbers.length > 0 ? numbers[0] : recorded) & BARRIERS - 1;
      long threads = numbers.length > 1 ? numbers[1] : in.immediate2();
      rows.barrierWarps[row] = (int) threads / LANES;
    }
  }
}
