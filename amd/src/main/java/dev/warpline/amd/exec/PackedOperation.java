package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnFormat;
import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOperand;

/**
 * Two results per lane: packed 16-bit in the halves of a register, packed f32 in a register pair.
 */
final class PackedOperation extends Operation {
  private final LaneLoop loop;
  private final OperandType type;
  private final VectorSource[] sources;
  private final int[] low;
  private final int[] high;
  private final boolean pair;

  PackedOperation(GcnInstruction i, VectorFunction function) {
    super(i);
    boolean clamp = i.clamp && !function.result().isFloat && function.saturating() != null;
    loop = clamp ? function.saturating() : function.loop();
    type = function.result();
    pair = type == OperandType.F32;
    int count = function.sources().length;
    sources = new VectorSource[count];
    low = new int[count];
    high = new int[count];
    // VOP2 forms have no selectors: low halves give the low result, high halves the high one
    boolean selectable = i.format == GcnFormat.VOP3P;
    int[] codes = {i.src0, i.src1, i.src2 == GcnOperand.NONE ? i.vdst : i.src2};
    for (int s = 0; s < count; s++) {
      OperandType sourceType = function.sources()[s];
      sources[s] = VectorSource.of(codes[s], s, sourceType, i.literal);
      low[s] = selectable ? i.opSel >> s & 1 : 0;
      high[s] = selectable ? i.opSelHi >> s & 1 : 1;
    }
  }

  @Override
  void run(WaveState w, Lanes x, MemoryAccess access) {
    long exec = w.exec();
    if (exec == 0) {
      return;
    }
    compute(w, x, low, instruction.neg);
    int[] first = x.temporary;
    System.arraycopy(x.r, 0, first, 0, 64);
    compute(w, x, high, instruction.negHi);
    int base = VectorSource.register(w, instruction.vdst) * 64;
    if (pair) {
      VgprWriter.store(w.vgpr, base + 64, x.r, exec);
      VgprWriter.store(w.vgpr, base, first, exec);
      return;
    }
    for (int lane = 0; lane < 64; lane++) {
      first[lane] = first[lane] & 0xffff | x.r[lane] << 16;
    }
    VgprWriter.store(w.vgpr, base, first, exec);
  }

  private void compute(WaveState w, Lanes x, int[] select, int neg) {
    x.a = operand(w, 0, select, neg, x.staged0, x.stagedLong0);
    if (sources.length > 1) {
      x.b = operand(w, 1, select, neg, x.staged1, x.stagedLong1);
    }
    if (sources.length > 2) {
      x.c = operand(w, 2, select, neg, x.staged2, x.stagedLong2);
    }
    boolean plain = !type.isFloat || (w.mode & 0xff) == 0xf0;
    if (!plain) {
      FloatMode.flushInputs(
          w.mode,
          type,
          sources.length > 1 ? type : OperandType.NONE,
          sources.length > 2 ? type : OperandType.NONE,
          x);
    }
    loop.run(x);
    if (!plain && FloatMode.flushesOutput(w.mode, type)) {
      FloatMode.flushOutput(type, x);
    }
    if (instruction.clamp && type.isFloat) {
      FloatMode.clamp(type, (w.mode & WaveState.MODE_DX10_CLAMP) != 0, x);
    }
  }

  private int[] operand(WaveState w, int s, int[] select, int neg, int[] staging, long[] wide) {
    boolean negate = (neg >> s & 1) != 0;
    if (pair) {
      long[] values = sources[s].longs(w, wide);
      int shift = 32 * select[s];
      int flip = negate ? 0x80000000 : 0;
      for (int i = 0; i < 64; i++) {
        staging[i] = (int) (values[i] >>> shift) ^ flip;
      }
      return staging;
    }
    int[] values = sources[s].ints(w, staging);
    int shift = 16 * select[s];
    int flip = negate && type.isFloat ? 0x8000 : 0;
    boolean signed = type == OperandType.I16;
    for (int i = 0; i < 64; i++) {
      int half = values[i] >>> shift & 0xffff ^ flip;
      staging[i] = signed ? (short) half : half;
    }
    return staging;
  }
}
