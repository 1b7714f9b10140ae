package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;

/**
 * v_mad_mix and v_fma_mix: f32 arithmetic on operands that are f32 or either half of a register
 * (op_sel_hi says which).
 */
final class MixOperation extends Operation {
  private final boolean fused;

  /** Result: -1 f32, 0 low half, 1 high half. */
  private final int half;

  private final VectorSource[] sources = new VectorSource[3];

  MixOperation(GcnInstruction i) {
    super(i);
    String name = i.opcode.mnemonic();
    fused = name.startsWith("v_fma");
    half = name.contains("mixlo") ? 0 : name.contains("mixhi") ? 1 : -1;
    int[] codes = {i.src0, i.src1, i.src2};
    for (int s = 0; s < 3; s++) {
      boolean isHalf = (i.opSelHi >> s & 1) != 0;
      OperandType type = isHalf ? OperandType.F16 : OperandType.F32;
      VectorSource source = VectorSource.of(codes[s], s, type, i.literal);
      if (isHalf && (i.opSel >> s & 1) != 0) {
        source = new VectorSource.Part(source, 16, 16, false);
      }
      boolean abs = (i.abs >> s & 1) != 0;
      boolean neg = (i.neg >> s & 1) != 0;
      sources[s] = abs || neg ? new VectorSource.Signed(source, type, abs, neg) : source;
    }
  }

  static boolean handles(String mnemonic) {
    return mnemonic.startsWith("v_mad_mix") || mnemonic.startsWith("v_fma_mix");
  }

  @Override
  void run(WaveState w, Lanes x, MemoryAccess access) {
    long exec = w.exec();
    int[] a = sources[0].ints(w, x.staged0);
    int[] b = sources[1].ints(w, x.staged1);
    int[] c = sources[2].ints(w, x.staged2);
    for (int i = 0; i < 64; i++) {
      float fa = value(0, a[i]);
      float fb = value(1, b[i]);
      float fc = value(2, c[i]);
      float r =
          fused
              ? Math.fma(fa, fb, fc)
              : VectorTable.flush(
                  VectorTable.flush(VectorTable.flush(fa) * VectorTable.flush(fb))
                      + VectorTable.flush(fc));
      int bits = Float.floatToIntBits(r);
      x.r[i] = half < 0 ? bits : Half.fromFloat(r);
    }
    if (instruction.clamp) {
      FloatMode.clamp(
          half < 0 ? OperandType.F32 : OperandType.F16,
          (w.mode & WaveState.MODE_DX10_CLAMP) != 0,
          x);
    }
    int base = VectorSource.register(w, instruction.vdst) * 64;
    if (half >= 0) {
      VgprWriter.mergeHalf(w.vgpr, base, x.r, half == 1, true);
    }
    VgprWriter.store(w.vgpr, base, x.r, exec);
  }

  private float value(int source, int bits) {
    return (instruction.opSelHi >> source & 1) != 0
        ? Half.toFloat(bits)
        : Float.intBitsToFloat(bits);
  }
}
