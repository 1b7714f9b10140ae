package dev.warpline.amd.cu;

import dev.warpline.amd.exec.Operation;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOpcode.Access;
import dev.warpline.isa.gcn.GcnOperand;
import dev.warpline.isa.gcn.GcnUnit;
import java.util.Arrays;
import java.util.regex.Pattern;

/** What the pipeline must know of one static instruction, worked out once. */
final class TimedInstruction {
  /** Execution units by index: the SIMDs come first, from 0. */
  static final int SIMD = -1;

  static final int SCALAR_ALU = 16;
  static final int GLOBAL_PIPE = 17;
  static final int LDS_PIPE = 18;
  static final int SCALAR_PIPE = 19;

  /** Further scalar ALUs, if there are any. */
  static final int MORE_SCALAR_ALUS = 20;

  static final int UNITS = 35;

  /** Vector instructions that take four times as long as others. */
  private static final Pattern QUARTER_RATE =
      Pattern.compile(
          "v_(rcp|rsq|sqrt|exp|log|sin|cos)_.*|v_mul_(lo|hi)_[ui]32|v_mad_[ui]64_[ui]32");

  /** Instructions the sequencer acts on itself. */
  enum Control {
    NONE,
    WAITCNT,
    BARRIER,
    SLEEP,
    NOP,
    PRIORITY,
    END
  }

  final Operation operation;
  final GcnInstruction code;
  final int size;

  /** {@link #SIMD} (the wave's own) or another unit. */
  final int unit;

  final Control control;

  /** Branch, return or end of program: no fetch past it. */
  final boolean endsFetch;

  /** Nothing that follows it in memory is decoded. */
  final boolean neverFallsThrough;

  final boolean isVector;
  final boolean isFlat;
  final boolean isMatrix;
  final boolean isLoad;
  final boolean isStore;
  final boolean isAtomic;

  /** A cache or message operation on a memory pipe without data. */
  final boolean isMemoryControl;

  /** A load that must not be served by the first-level cache. */
  final boolean bypassesL1;

  /** Cycles the unit is taken. */
  final int occupancy;

  /** Cycles a matrix instruction occupies the matrix core, else 0. */
  final int matrixCycles;

  /** Cycles from execution until vector results can be read. */
  final int vectorLatency;

  /** Vector registers that must be free: sources and results; accumulation registers from 256. */
  final short[] vectorRegisters;

  /** How many of these are sources; they come first. */
  final int vectorSources;

  final short[] vectorResults;
  final short[] scalarRegisters;
  final short[] scalarResults;

  TimedInstruction(Operation operation, AmdSpec spec) {
    this.operation = operation;
    code = operation.instruction;
    size = code.size;
    GcnUnit kind = code.opcode.unit();
    unit = unit(kind);
    String mnemonic = code.opcode.mnemonic();
    control = control(mnemonic);
    endsFetch = kind == GcnUnit.BRANCH || control == Control.END;
    neverFallsThrough =
        control == Control.END || mnemonic.equals("s_branch") || mnemonic.equals("s_setpc_b64");
    isVector = code.opcode.isVector();
    isFlat = kind == GcnUnit.FLAT;
    isMatrix = kind == GcnUnit.MATRIX;
    isLoad = code.opcode.isLoad();
    isStore = code.opcode.isStore();
    isAtomic = code.opcode.isAtomic();
    isMemoryControl = unit >= GLOBAL_PIPE && code.opcode.access() == Access.CONTROL;
    bypassesL1 = code.glc || code.slc || code.scc;
    occupancy = occupancy(spec);
    matrixCycles =
        isMatrix ? (int) Math.round(MatrixCore.cycles(code) * spec.issue().mfmaScale()) : 0;
    vectorLatency = vectorLatency(spec);
    RegisterList vector = new RegisterList();
    RegisterList scalar = new RegisterList();
    RegisterList vectorOut = new RegisterList();
    RegisterList scalarOut = new RegisterList();
    source(code.src0, code.src0Width, vector, scalar);
    source(code.src1, code.src1Width, vector, scalar);
    source(code.src2, code.src2Width, vector, scalar);
    source(code.src3, code.src3Width, vector, scalar);
    source(code.vdst, code.vdstWidth, vectorOut, scalarOut);
    source(code.sdst, code.sdstWidth, vectorOut, scalarOut);
    vectorSources = vector.size;
    vector.addAll(vectorOut);
    scalar.addAll(scalarOut);
    vectorRegisters = vector.toArray();
    scalarRegisters = scalar.toArray();
    vectorResults = vectorOut.toArray();
    scalarResults = scalarOut.toArray();
  }

  private static int unit(GcnUnit kind) {
    return switch (kind) {
      case SCALAR_ALU, BRANCH, SEQUENCER -> SCALAR_ALU;
      case SCALAR_MEMORY -> SCALAR_PIPE;
      case VECTOR_ALU, MATRIX -> SIMD;
      case LDS -> LDS_PIPE;
      case FLAT, GLOBAL, SCRATCH, BUFFER, IMAGE -> GLOBAL_PIPE;
    };
  }

  private static Control control(String mnemonic) {
    if (mnemonic.startsWith("s_endpgm")) {
      return Control.END;
    }
    return switch (mnemonic) {
      case "s_waitcnt" -> Control.WAITCNT;
      case "s_barrier" -> Control.BARRIER;
      case "s_sleep" -> Control.SLEEP;
      case "s_nop" -> Control.NOP;
      case "s_setprio" -> Control.PRIORITY;
      default -> Control.NONE;
    };
  }

  private int occupancy(AmdSpec spec) {
    return switch (unit) {
      case SIMD -> vectorOccupancy(spec);
      case SCALAR_ALU, SCALAR_PIPE -> spec.issue().scalarPeriod();
      default -> spec.issue().issuePeriod();
    };
  }

  private int vectorOccupancy(AmdSpec spec) {
    int full = passes(spec, spec.waves().simdWidth());
    if (spec.issue().rates() == AmdSpec.Rates.GEM5 || isMatrix) {
      return full;
    }
    String m = code.opcode.mnemonic();
    int slow =
        m.contains("_f64")
            ? passes(spec, Math.min(spec.waves().simdWidth(), spec.issue().doubleRate()))
            : full;
    return QUARTER_RATE.matcher(m).matches() ? slow * 4 : slow;
  }

  /** Cycles in which so many lanes do a wave, no fewer than the issue period. */
  private static int passes(AmdSpec spec, int lanes) {
    return Math.max(spec.issue().issuePeriod(), (64 + lanes - 1) / lanes);
  }

  private int vectorLatency(AmdSpec spec) {
    if (isMatrix) {
      return matrixCycles;
    }
    int widest =
        Math.max(
            code.vdstWidth, Math.max(code.src0Width, Math.max(code.src1Width, code.src2Width)));
    int bypass = widest > 1 ? spec.issue().doubleBypass() : spec.issue().singleBypass();
    return bypass + occupancy - spec.issue().issuePeriod() + spec.issue().operandNetwork() - 1;
  }

  private static void source(int operand, int width, RegisterList vector, RegisterList scalar) {
    for (int i = 0; i < width; i++) {
      if (GcnOperand.isVgpr(operand)) {
        vector.add(operand - GcnOperand.VGPR0 + i);
      } else if (GcnOperand.isAgpr(operand)) {
        vector.add(256 + operand - GcnOperand.AGPR0 + i);
      } else if (operand >= 0 && operand < GcnOperand.TTMP0) {
        scalar.add(operand + i);
      }
    }
  }

  /** Distinct register numbers. */
  private static final class RegisterList {
    private short[] numbers = new short[8];
    private int size;

    void add(int number) {
      for (int i = 0; i < size; i++) {
        if (numbers[i] == number) {
          return;
        }
      }
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, size * 2);
      }
      numbers[size++] = (short) number;
    }

    void addAll(RegisterList other) {
      for (int i = 0; i < other.size; i++) {
        add(other.numbers[i]);
      }
    }

    short[] toArray() {
      return Arrays.copyOf(numbers, size);
    }
  }
}
