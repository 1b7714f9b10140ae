package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOperand;
import java.math.BigDecimal;

/**
 * A vector ALU instruction: fetch the operands of all lanes, compute, store the lanes that EXEC
 * enables.
 */
final class VectorOperation extends Operation {
  /**
   * MODE bits 7:0 for nearest-even rounding and all denormals kept: what Java's arithmetic does.
   */
  private static final int PLAIN_MODE = 0xf0;

  private static final int GPR_INDEX_DST = 8;

  private final VectorFunction function;
  private final LaneLoop loop;
  private final OperandType type0;
  private final OperandType type1;
  private final OperandType type2;
  private final VectorSource source0;
  private final VectorSource source1;
  private final VectorSource source2;
  private final int maskIn;
  private final boolean writesExec;
  private final boolean depends;
  private final Dpp dpp;
  private final boolean floatClamp;

  VectorOperation(GcnInstruction i, VectorFunction function) {
    super(i);
    this.function = function;
    OperandType[] types = function.sources();
    type0 = types[0];
    type1 = types.length > 1 ? types[1] : OperandType.NONE;
    type2 = types.length > 2 ? types[2] : OperandType.NONE;
    String mnemonic = i.opcode.mnemonic();
    if (mnemonic.startsWith("v_madmk") || mnemonic.startsWith("v_fmamk")) {
      source0 = source(i, i.src0, 0, type0);
      source1 = VectorSource.of(GcnOperand.LITERAL, 1, type1, i.literal);
      source2 = source(i, i.src1, 2, type2);
    } else if (mnemonic.startsWith("v_madak") || mnemonic.startsWith("v_fmaak")) {
      source0 = source(i, i.src0, 0, type0);
      source1 = source(i, i.src1, 1, type1);
      source2 = VectorSource.of(GcnOperand.LITERAL, 2, type2, i.literal);
    } else {
      source0 = source(i, i.src0, 0, type0);
      source1 = type1 == OperandType.NONE ? null : source(i, i.src1, 1, type1);
      // accumulating forms read their destination
      int third = i.src2 == GcnOperand.NONE ? i.vdst : i.src2;
      source2 = type2 == OperandType.NONE ? null : source(i, third, 2, type2);
    }
    maskIn =
        function.mask().isSource2()
            ? i.src2
            : function.mask() == LaneMask.IN_VCC ? GcnOperand.VCC : GcnOperand.NONE;
    writesExec = mnemonic.startsWith("v_cmpx");
    dpp = i.isDpp ? new Dpp(i) : null;
    boolean isFloat = function.result().isFloat;
    floatClamp = i.clamp && isFloat;
    loop =
        i.clamp && !isFloat && function.saturating() != null
            ? function.saturating()
            : function.loop();
    depends = isFloat || type0.isFloat || type1.isFloat || type2.isFloat;
  }

  /** Whether the clamp bit is one this opcode can honour. */
  static boolean canClamp(VectorFunction function) {
    return function.result().isFloat
        || function.saturating() != null
        || function.result() == OperandType.NONE;
  }

  private static VectorSource source(GcnInstruction i, int code, int slot, OperandType type) {
    VectorSource source = VectorSource.of(code, slot, type, i.literal);
    if (slot == 0 && i.isDpp) {
      source = new VectorSource.Permuted(source, i);
    }
    boolean sdwa = i.isSdwa && slot < 2;
    if (sdwa) {
      source =
          slot == 0
              ? VectorSource.Part.sdwa(source, i.sdwaSrc0Sel, i.sdwaSrc0Sext)
              : VectorSource.Part.sdwa(source, i.sdwaSrc1Sel, i.sdwaSrc1Sext);
    } else if (type.bits == 16 && (i.opSel >>> slot & 1) != 0) {
      source = new VectorSource.Part(source, 16, 16, false);
    }
    if (type == OperandType.I16 || type == OperandType.U16) {
      source = new VectorSource.Part(source, 0, 16, type == OperandType.I16);
    }
    boolean abs = (i.abs >>> slot & 1) != 0;
    boolean neg = (i.neg >>> slot & 1) != 0;
    return abs || neg ? new VectorSource.Signed(source, type, abs, neg) : source;
  }

  @Override
  void run(WaveState w, Lanes x, MemoryAccess access) {
    long exec = w.exec();
    LaneMask mask = function.mask();
    if (exec == 0 && !mask.isOut()) {
      return;
    }
    if (type0.isWide()) {
      x.la = source0.longs(w, x.stagedLong0);
    } else {
      x.a = source0.ints(w, x.staged0);
    }
    if (source1 != null) {
      if (type1.isWide()) {
        x.lb = source1.longs(w, x.stagedLong1);
      } else {
        x.b = source1.ints(w, x.staged1);
      }
    }
    if (source2 != null) {
      if (type2.isWide()) {
        x.lc = source2.longs(w, x.stagedLong2);
      } else {
        x.c = source2.ints(w, x.staged2);
      }
    }
    if (maskIn != GcnOperand.NONE) {
      x.maskIn = ScalarOperand.read64(w, maskIn);
    }
    boolean plain = !depends || (w.mode & 0xff) == PLAIN_MODE;
    if (!plain) {
      FloatMode.flushInputs(w.mode, type0, type1, type2, x);
    }
    loop.run(x);
    if (!plain) {
      finishInMode(w.mode, x);
    }
    if (floatClamp) {
      FloatMode.clamp(function.result(), (w.mode & WaveState.MODE_DX10_CLAMP) != 0, x);
    }
    long written = dpp == null ? exec : exec & dpp.written(exec);
    if (function.result() != OperandType.NONE) {
      store(w, x, written);
    }
    if (mask.isOut()) {
      long result = x.maskOut & written;
      if (instruction.sdst != GcnOperand.NONE) {
        w.setPair(instruction.sdst, result);
      }
      if (writesExec) {
        w.setExec(result);
      }
    }
  }

  /** Rounding modes other than nearest, output modifier, flushed results. */
  private void finishInMode(int mode, Lanes x) {
    OperandType result = function.result();
    int rounding = result == OperandType.F32 ? mode & 3 : mode >> 2 & 3;
    if (rounding != Rounding.NEAREST && function.exact() != null) {
      for (int lane = 0; lane < 64; lane++) {
        roundLane(x, lane, rounding);
      }
    }
    if (result.isFloat && FloatMode.flushesOutput(mode, result)) {
      FloatMode.outputModifier(instruction.omod, result, x);
      FloatMode.flushOutput(result, x);
    }
  }

  private void roundLane(Lanes x, int lane, int rounding) {
    BigDecimal a = FloatMode.exact(type0, x.a, x.la, lane, instruction.opcode.mnemonic());
    BigDecimal b = FloatMode.exact(type1, x.b, x.lb, lane, "");
    BigDecimal c = FloatMode.exact(type2, x.c, x.lc, lane, "");
    if (a == null || b == null || c == null) {
      return; // infinities and NaNs do not round
    }
    BigDecimal exact = function.exact().apply(a, b, c);
    boolean cancelled =
        exact.signum() == 0 && rounding == Rounding.DOWN && a.signum() != 0 && b.signum() != 0;
    switch (function.result()) {
      case F32 -> {
        float nearest = Float.intBitsToFloat(x.r[lane]);
        float rounded = cancelled ? -0.0f : Rounding.toFloat(exact, nearest, rounding);
        x.r[lane] = Float.floatToRawIntBits(rounded);
      }
      case F64 -> {
        double nearest = Double.longBitsToDouble(x.lr[lane]);
        double rounded = cancelled ? -0.0 : Rounding.toDouble(exact, nearest, rounding);
        x.lr[lane] = Double.doubleToRawLongBits(rounded);
      }
      default -> x.r[lane] = cancelled ? 0x8000 : Rounding.toHalf(exact, x.r[lane], rounding);
    }
  }

  private void store(WaveState w, Lanes x, long written) {
    int register = VectorSource.register(w, instruction.vdst);
    if ((w.gprIndexMode & GPR_INDEX_DST) != 0) {
      register += w.m0() & 0xff;
    }
    int base = register * WaveState.LANES;
    OperandType result = function.result();
    if (result.isWide()) {
      VgprWriter.storeLongs(w.vgpr, base, x.lr, written);
      return;
    }
    if (instruction.isSdwa) {
      VgprWriter.mergeSdwa(w.vgpr, base, x.r, instruction.sdwaDstSel, instruction.sdwaDstUnused);
    } else if (result.bits == 16) {
      boolean high = (instruction.opSel & 8) != 0;
      VgprWriter.mergeHalf(w.vgpr, base, x.r, high, high || function.keepsHighHalf());
    }
    VgprWriter.store(w.vgpr, base, x.r, written);
  }
}
