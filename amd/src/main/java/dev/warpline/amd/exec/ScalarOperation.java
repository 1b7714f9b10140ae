package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnFormat;
import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOperand;

/** A scalar ALU or control instruction. */
final class ScalarOperation extends Operation {
  private final ScalarTable.Function function;
  private final int code0;
  private final boolean wide0;
  private final long constant0;
  private final int code1;
  private final boolean wide1;
  private final long constant1;

  ScalarOperation(GcnInstruction i, ScalarTable.Function function) {
    super(i);
    this.function = function;
    // SOP1 opcodes that keep part of their destination read it as second operand
    boolean readsOld = i.format == GcnFormat.SOP1 && i.readsDestination;
    boolean immediate = !readsOld && i.src1 == GcnOperand.NONE;
    int first = i.src0 == GcnOperand.NONE && i.format == GcnFormat.SOPK ? i.sdst : i.src0;
    wide0 = i.src0Width == 2;
    code0 = registerCode(first);
    constant0 = code0 == GcnOperand.NONE ? constant(i, first, wide0) : 0;
    int second = readsOld ? i.sdst : i.src1;
    wide1 = (readsOld ? i.sdstWidth : i.src1Width) == 2;
    code1 = immediate ? GcnOperand.NONE : registerCode(second);
    constant1 = immediate ? i.simm16 : code1 == GcnOperand.NONE ? constant(i, second, wide1) : 0;
  }

  private static int registerCode(int code) {
    boolean isConstant =
        GcnOperand.isInlineInteger(code)
            || GcnOperand.isInlineFloat(code)
            || code == GcnOperand.LITERAL;
    return isConstant ? GcnOperand.NONE : code;
  }

  private static long constant(GcnInstruction i, int code, boolean wide) {
    if (code == GcnOperand.NONE) {
      return 0;
    }
    OperandType type =
        !wide
            ? OperandType.B32
            : i.opcode.mnemonic().endsWith("i64") ? OperandType.I64 : OperandType.B64;
    return Constants.value(code, type, i.literal);
  }

  private static long read(WaveState w, int code, boolean wide, long constant) {
    if (code == GcnOperand.NONE) {
      return constant;
    }
    return wide ? ScalarOperand.read64(w, code) : ScalarOperand.read32(w, code);
  }

  @Override
  void run(WaveState w, Lanes x, MemoryAccess access) {
    long a = read(w, code0, wide0, constant0);
    long b = read(w, code1, wide1, constant1);
    long result = function.apply(w, a, b);
    int sdst = instruction.sdst;
    if (sdst != GcnOperand.NONE) {
      if (instruction.sdstWidth == 2) {
        w.setPair(sdst, result);
      } else {
        w.sgpr[sdst] = (int) result;
      }
    }
  }
}
