package dev.warpline.nvidia.modern.code;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.isa.ConstantOperand;
import dev.warpline.isa.ControlBits;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.MatrixShape;
import dev.warpline.isa.MemorySpace;
import dev.warpline.isa.Opcode;
import dev.warpline.isa.Pipe;
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

  void decode(CodeRow row, Instruction in) {
    row.pc = in.pc();
    if (!in.opcode().known()) {
      rows.note(in.opcode().name() + ": unknown opcode, timed as a simple integer instruction");
    }
    control(row, in);
    if (!async.decode(row, in)) {
      unit(row, in);
      role(row, in);
    }
    if (row.action == CodeRow.MEMORY && spec.ideal().registers() && isLocal(in)) {
      leaveOut(row);
    } else if (row.action == CodeRow.MEMORY) {
      memory(row, in);
    }
    if (isAtOnce(row)) {
      tellNobody(row);
    }
    if (row.fixed && spec.ideal().fixedResults()) {
      row.latency = 1;
    }
    constants(row, in);
    operands(row, in);
    registers(row, in);
    if (row.action == CodeRow.DEPBAR) {
      depbar(row, in);
    }
    if (in.opcode().role() == Role.BARRIER) {
      barrier(row, in);
    }
  }

  private static boolean isLocal(Instruction in) {
    return in.opcode().space() == MemorySpace.LOCAL;
  }

  /** Whether nobody waits for its result, because the description says so. */
  private boolean isAtOnce(CodeRow row) {
    boolean load =
        row.action == CodeRow.MEMORY
            && row.access == CodeRow.LOAD
            && row.space != CodeRow.SPACE_SHARED;
    boolean shared =
        row.action == CodeRow.MEMORY
            && row.access != CodeRow.STORE
            && row.space == CodeRow.SPACE_SHARED;
    return switch (row.action) {
      case CodeRow.MEMORY ->
          load && spec.ideal().loadResults() || shared && spec.ideal().shortResults();
      case CodeRow.COPY_COMMIT, CodeRow.DEPBAR -> spec.ideal().loadResults();
      case CodeRow.SHUFFLE, CodeRow.XU, CodeRow.SPECIAL_REGISTER, CodeRow.CONSTANT_LOAD ->
          spec.ideal().shortResults();
      default -> false;
    };
  }

  /** Its result is no longer waited for; what it does is done all the same. */
  private static void tellNobody(CodeRow row) {
    row.writeBarrier = ControlBits.NO_BARRIER;
    row.quiet = row.readBarrier == ControlBits.NO_BARRIER;
    if (row.action == CodeRow.DEPBAR || row.action == CodeRow.COPY_COMMIT) {
      row.action = CodeRow.PLAIN;
    }
  }

  /** It issues, and that is all. */
  private static void leaveOut(CodeRow row) {
    row.action = CodeRow.PLAIN;
    row.unit(CodeRow.UNIT_NONE, 1);
    row.fixed = true;
    row.stall = 1;
    row.yields = false;
    row.writeBarrier = ControlBits.NO_BARRIER;
    row.readBarrier = ControlBits.NO_BARRIER;
    row.quiet = true;
  }

  private void control(CodeRow row, Instruction in) {
    int control = in.control();
    row.reuse = (byte) (in.hasControl() ? ControlBits.reuse(control) & 7 : 0);
    if (!rows.controlled || !in.hasControl()) {
      row.stall = 1;
      row.yields = false;
      row.writeBarrier = ControlBits.NO_BARRIER;
      row.readBarrier = ControlBits.NO_BARRIER;
      row.waitMask = 0;
      return;
    }
    row.stall = (byte) ControlBits.stall(control);
    row.yields = ControlBits.yields(control);
    row.writeBarrier = (byte) ControlBits.writeBarrier(control);
    row.readBarrier = (byte) ControlBits.readBarrier(control);
    row.waitMask = (byte) ControlBits.waitMask(control);
    row.quiet =
        row.writeBarrier == ControlBits.NO_BARRIER && row.readBarrier == ControlBits.NO_BARRIER;
    // A counter is seen only when the instruction that it counts has passed Control.
    int least = row.quiet ? 1 : spec.issue().toAllocate();
    if (spec.ideal().fixedResults() && row.stall > least) {
      row.stall = (byte) least;
      row.yields = false;
    }
  }

  /** Which unit it goes to, for how long, and when its result is there. */
  private void unit(CodeRow row, Instruction in) {
    ModernCoreSpec.Units units = spec.units();
    Opcode opcode = in.opcode();
    row.action = CodeRow.PLAIN;
    row.dispatch = 1;
    row.lateStall = 0;
    branch(row, opcode);
    row.fixed = opcode.fixedLatency();
    row.latency = spec.issue().resultCycles();
    switch (opcode.pipe()) {
      case FMA -> row.unit(CodeRow.UNIT_FMA, units.fma());
      case FMA_HEAVY -> {
        boolean wide = in.hasModifier("WIDE") || in.hasModifier("HI");
        row.unit(CodeRow.UNIT_FMA, wide ? units.fmaWide() : units.fmaHeavy());
        row.dispatch = wide ? units.wideDispatch() : 1;
        row.lateStall = row.dispatch - 1;
      }
      case FP16 -> {
        // HFMA2.MMA runs in the pipe of double precision and tensor work.
        int unit = in.hasModifier("MMA") ? CodeRow.UNIT_FP64 : CodeRow.UNIT_FMA;
        row.unit(unit, units.half());
      }
      case FP64 -> {
        row.unit(CodeRow.UNIT_FP64, units.fp64());
        row.latency = units.fp64Cycles();
      }
      case XU -> {
        row.unit(CodeRow.UNIT_XU, units.xu());
        row.action = CodeRow.XU;
        row.latency = units.xuCycles();
      }
      case UNIFORM -> {
        row.unit(CodeRow.UNIT_UNIFORM, units.uniform());
        if (!opcode.fixedLatency()) {
          row.action = CodeRow.SPECIAL_REGISTER;
          row.latency = units.specialRegisterCycles();
        }
      }
      case TENSOR -> tensor(row, in);
      case BRANCH ->
          row.unit(CodeRow.UNIT_BRANCH, convergence(opcode) ? units.converge() : units.branch());
      case CONSTANT -> {
        row.unit(CodeRow.UNIT_CONSTANT, 1);
        row.action = CodeRow.CONSTANT_LOAD;
        row.fixed = false;
      }
      case LSU -> {
        row.unit(CodeRow.UNIT_LSU, 1);
        row.fixed = false;
        row.action = CodeRow.MEMORY;
      }
      case TEXTURE, TMA, GMMA -> {
        row.unit(CodeRow.UNIT_NONE, 1);
        notModelled(opcode);
      }
      case MISC -> row.unit(CodeRow.UNIT_NONE, 1);
      default -> row.unit(CodeRow.UNIT_ALU, units.alu());
    }
  }

  private void branch(CodeRow row, Opcode opcode) {
    ModernCoreSpec.Supply supply = spec.supply();
    row.branches = opcode.role() == Role.BRANCH || opcode.role() == Role.EXIT;
    boolean converges = opcode.name().equals("BSYNC");
    row.fallThrough = converges ? supply.convergeCycles() : supply.notTakenCycles();
    row.jump = converges ? supply.convergeCycles() - supply.decodeCycles() : supply.branchCycles();
  }

  /** Whether it begins or ends a stretch after which lanes meet. */
  private static boolean convergence(Opcode opcode) {
    return opcode.name().equals("BSSY") || opcode.name().equals("BSYNC");
  }

  private void notModelled(Opcode opcode) {
    rows.note(opcode.name() + ": not modelled by this core, timed as a simple instruction");
  }

  /** What it does beside occupying its unit. */
  private void role(CodeRow row, Instruction in) {
    ModernCoreSpec.LoadStore ls = spec.loadStore();
    switch (in.opcode().role()) {
      case SPECIAL -> {
        // What is one for the whole block comes on the way of constants.
        boolean uniform = in.opcode().pipe() == Pipe.UNIFORM || isBlockNumber(in);
        row.unit(uniform ? CodeRow.UNIT_CONSTANT : CodeRow.UNIT_LSU, 1);
        row.action = CodeRow.SPECIAL_REGISTER;
        row.fixed = false;
        row.latency = spec.units().specialRegisterCycles();
      }
      case SHUFFLE -> {
        row.action = CodeRow.SHUFFLE;
        row.latency = ls.shuffleCycles();
      }
      case EXIT -> row.action = CodeRow.EXIT;
      case BARRIER -> row.action = in.hasModifier("ARV") ? CodeRow.BARRIER_ARRIVE : CodeRow.BARRIER;
      case DEPBAR -> row.action = CodeRow.DEPBAR;
      case COMMIT -> {
        row.action = CodeRow.COPY_COMMIT;
        if (!rows.controlled) {
          // The counter that the compiler uses for groups of copies, and DEPBAR waits for.
          row.writeBarrier = 0;
        }
      }
      case FENCE -> {
        row.action = CodeRow.MEMBAR;
        row.latency =
            in.hasModifier("SYS")
                ? ls.membarSystem()
                : in.hasModifier("CTA") ? ls.membarBlock() : ls.membarGpu();
      }
      case SLEEP -> row.action = CodeRow.SLEEP;
      case CACHE -> row.action = CodeRow.CACHE_CONTROL;
      case UNMODELLED -> notModelled(in.opcode());
      default -> {
        switch (in.opcode().name()) {
          case "PREEXIT", "UPREEXIT" -> row.action = CodeRow.LET_GO;
          case "ACQBULK" -> row.action = CodeRow.AWAIT_KERNEL;
          default -> {}
        }
      }
    }
  }

  private static boolean isBlockNumber(Instruction in) {
    return in.isListed() && in.text().contains("SR_CTAID");
  }

  private void tensor(CodeRow row, Instruction in) {
    ModernCoreSpec.Units units = spec.units();
    MatrixShape shape = MatrixShape.of(in.text());
    double rate =
        shape.inputBits() == Double.SIZE
            ? units.dmmaRate()
            : units.tensorRate() * TENSOR_BITS / Math.max(1, shape.inputBits());
    int cycles = (int) Math.ceil(shape.multiplyAdds() / rate - ROUNDING);
    row.unit(CodeRow.UNIT_TENSOR, Math.max(units.tensorFloor(), cycles));
    row.latency = units.tensorCycles() + cycles;
  }

  private void memory(CodeRow row, Instruction in) {
    Opcode opcode = in.opcode();
    MemorySpace where = opcode.space();
    boolean copy = opcode.role() == Role.COPY;
    row.space =
        copy
            ? CodeRow.SPACE_COPY
            : switch (where) {
              case SHARED -> CodeRow.SPACE_SHARED;
              case LOCAL -> CodeRow.SPACE_LOCAL;
              case GENERIC -> CodeRow.SPACE_GENERIC;
              default -> CodeRow.SPACE_GLOBAL;
            };
    if (where == MemorySpace.NONE) {
      row.action = CodeRow.CACHE_CONTROL;
      rows.note(opcode.name() + ": not modelled by this core, timed as a shuffle");
    }
    if (opcode.atomic()) {
      boolean reduction =
          opcode.result() == Opcode.Result.NONE || !returns(in) && where != MemorySpace.SHARED;
      row.access = reduction ? CodeRow.REDUCTION : CodeRow.ATOMIC;
    } else {
      row.access = opcode.writes() && !copy ? CodeRow.STORE : CodeRow.LOAD;
    }
    row.bytes = (byte) in.accessBytes();
    row.uniformAddress = hasUniformAddress(in);
    boolean strong = in.hasModifier("STRONG") && (in.hasModifier("GPU") || in.hasModifier("SYS"));
    row.bypassesL1 = opcode.atomic() || strong || in.hasModifier("BYPASS");
    row.floating =
        in.hasModifierLike("F32") || in.hasModifierLike("F16") || in.hasModifierLike("F64");
    row.compareSwap = in.hasModifierLike("CAS");
    row.countsLanes = in.hasModifier("POPC");
    row.matrix = opcode.role() == Role.MATRIX;
  }

  /**
   * Whether an atomic gives back what was in memory. Where its first operand is a predicate, as in
   * {@code ATOMG PT, R6, [R2], R4}, a trace has the register that it writes as its first source.
   */
  private static boolean returns(Instruction in) {
    int[] registers = in.destinations().length > 0 ? in.destinations() : in.sources();
    return registers.length > 0 && registers[0] != Registers.RZ;
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
  private void constants(CodeRow row, Instruction in) {
    row.constantLine = NO_LINE;
    row.loadLine = NO_LINE;
    row.indexed = false;
    if (row.fixed) {
      boolean likely = in.constant() == null && in.opcode().space() == MemorySpace.CONSTANT;
      row.constantLine = likely ? likelyLine(in) : line(in.constant());
    } else if (row.action == CodeRow.CONSTANT_LOAD) {
      boolean byLane = in.isIndexedByLane();
      row.indexed = byLane && in.isListed();
      rows.hasIndexed |= row.indexed;
      boolean likely = in.constant() == null && !byLane;
      row.loadLine = likely ? likelyLine(in) : line(in.constant());
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
  private void operands(CodeRow row, Instruction in) {
    Arrays.fill(row.operands, (short) -1);
    if (!row.fixed) {
      return;
    }
    if (!in.isListed()) {
      int[] named = in.sources();
      for (int i = 0; i < Math.min(PORT_OPERANDS, named.length); i++) {
        operand(row, i, in, named[i], i);
      }
      return;
    }
    List<SassOperand> inputs = in.inputs();
    int index = 0;
    for (int i = 0; i < Math.min(PORT_OPERANDS, inputs.size()); i++) {
      SassOperand input = inputs.get(i);
      if (input.is(Kind.REGISTER) && Registers.isRegular(input.register())) {
        operand(row, i, in, input.register(), index++);
      }
    }
  }

  private void operand(CodeRow row, int place, Instruction in, int register, int index) {
    if (register != Registers.RZ) {
      row.operands[place] = (short) register;
      row.operandWords[place] = (byte) RegisterGroups.source(in, index);
    }
  }

  private void registers(CodeRow row, Instruction in) {
    row.guarded = in.guard() != Registers.PT;
    row.writeBanks = 0;
    // As recorded: a result behind a predicate (SHFL PT, R4, R2) takes no write port here.
    for (int first : in.destinations()) {
      int words = first == Registers.RZ ? 0 : RegisterGroups.destination(in);
      for (int register = first; register < Math.min(first + words, Registers.RZ); register++) {
        row.lastBank = (byte) (register % spec.issue().banks());
        row.writeBanks |= (byte) (1 << row.lastBank);
      }
    }
    if (!rows.controlled) {
      row.reads = in.reads();
      row.writes = isAtOnce(row) ? new int[0] : in.writes();
    }
  }

  /**
   * Fields of DEPBAR.LE: counter in bits 44-46, limit in 38-43, counters that must be 0 in 32-37.
   */
  private void depbar(CodeRow row, Instruction in) {
    rows.hasDepbar = true;
    if (in.low() != 0) {
      boolean le = (in.low() >>> 47 & 1) != 0;
      row.depbarCounter = le ? (int) (in.low() >>> 44) & 7 : ControlBits.NO_BARRIER;
      row.depbarLimit = (int) (in.low() >>> 38) & 63;
      row.depbarZero = (int) (in.low() >>> 32) & 63;
    } else if (in.isListed()) {
      // DEPBAR.LE SB0, 0x1, {4,3}
      row.depbarCounter = ControlBits.NO_BARRIER;
      row.depbarLimit = 0;
      row.depbarZero = 0;
      for (SassOperand operand : in.operands()) {
        if (operand.is(Kind.IMMEDIATE)) {
          row.depbarLimit = (int) operand.value();
        } else if (operand.text().startsWith("SB")) {
          row.depbarCounter = Integer.parseInt(operand.text().substring(2));
        } else {
          row.depbarZero |= counters(operand.text());
        }
      }
    } else {
      // Without word and listing: the form the compiler emits for copy groups.
      row.depbarCounter = 0;
      row.depbarLimit = (int) in.immediate();
      row.depbarZero = 0;
    }
  }

  /** Mask of the counters in a list such as {@code {4,3}}. */
  private static int counters(String list) {
    return list.chars()
        .filter(Character::isDigit)
        .map(c -> 1 << c - '0')
        .reduce(0, (a, b) -> a | b);
  }

  private void barrier(CodeRow row, Instruction in) {
    row.defers = in.hasModifier("DEFER_BLOCKING");
    int[] numbers = in.integers();
    int recorded = (int) in.immediate();
    if (numbers.length == 0 && recorded >= LANES) {
      // Old traces have the last immediate: without a listing only the threads are known.
      row.barrierWarps = recorded / LANES;
      row.barrier = CodeRow.UNNAMED;
    } else {
      row.barrier = (numbers.length > 0 ? numbers[0] : recorded) & BARRIERS - 1;
      long threads = numbers.length > 1 ? numbers[1] : in.immediate2();
      row.barrierWarps = (int) threads / LANES;
    }
  }
}
