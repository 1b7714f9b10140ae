package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOperand;
import java.util.Arrays;

/**
 * A source operand of a vector instruction. It delivers the values of all lanes in an array: the
 * staging array it was given, or one of its own that must not be changed.
 */
abstract class VectorSource {
  abstract int[] ints(WaveState w, int[] staging);

  abstract long[] longs(WaveState w, long[] staging);

  /**
   * The operand with code {@code code}; {@code slot} is its number (for relative addressing),
   * {@code literal} its constant.
   */
  static VectorSource of(int code, int slot, OperandType type, int literal) {
    if (GcnOperand.isVgpr(code) || GcnOperand.isAgpr(code)) {
      return new Vector(code, 1 << slot);
    }
    if (GcnOperand.isScalarRegister(code)) {
      return new Scalar(code);
    }
    if (GcnOperand.isInlineInteger(code)
        || GcnOperand.isInlineFloat(code)
        || code == GcnOperand.LITERAL) {
      return new Constant(Constants.value(code, type, literal));
    }
    return new Scalar(code);
  }

  /** The register index of a vector operand: accumulation registers follow the others. */
  static int register(WaveState w, int code) {
    return GcnOperand.isAgpr(code) ? w.accBase + code - GcnOperand.AGPR0 : code - GcnOperand.VGPR0;
  }

  static final class Vector extends VectorSource {
    private final int code;
    private final int indexBit;

    Vector(int code, int indexBit) {
      this.code = code;
      this.indexBit = indexBit;
    }

    private int offset(WaveState w) {
      int register = register(w, code);
      if ((w.gprIndexMode & indexBit) != 0) {
        register += w.m0() & 0xff;
      }
      return register * WaveState.LANES;
    }

    @Override
    int[] ints(WaveState w, int[] staging) {
      System.arraycopy(w.vgpr, offset(w), staging, 0, 64);
      return staging;
    }

    @Override
    long[] longs(WaveState w, long[] staging) {
      int[] vgpr = w.vgpr;
      int low = offset(w);
      int high = low + 64;
      for (int i = 0; i < 64; i++) {
        staging[i] = (vgpr[low + i] & 0xffffffffL) | (long) vgpr[high + i] << 32;
      }
      return staging;
    }
  }

  static final class Scalar extends VectorSource {
    private final int code;

    Scalar(int code) {
      this.code = code;
    }

    @Override
    int[] ints(WaveState w, int[] staging) {
      Arrays.fill(staging, ScalarOperand.read32(w, code));
      return staging;
    }

    @Override
    long[] longs(WaveState w, long[] staging) {
      Arrays.fill(staging, ScalarOperand.read64(w, code));
      return staging;
    }
  }

  static final class Constant extends VectorSource {
    private final int[] ints = new int[64];
    private final long[] longs = new long[64];

    Constant(long value) {
      Arrays.fill(ints, (int) value);
      Arrays.fill(longs, value);
    }

    @Override
    int[] ints(WaveState w, int[] staging) {
      return ints;
    }

    @Override
    long[] longs(WaveState w, long[] staging) {
      return longs;
    }
  }

  /** Absolute value, then negation, on the sign bit of the type. */
  static final class Signed extends VectorSource {
    private final VectorSource inner;
    private final long keep;
    private final long flip;

    Signed(VectorSource inner, OperandType type, boolean abs, boolean neg) {
      this.inner = inner;
      long sign = 1L << type.bits - 1;
      this.keep = abs ? ~sign : -1L;
      this.flip = neg ? sign : 0;
    }

    @Override
    int[] ints(WaveState w, int[] staging) {
      int[] values = inner.ints(w, staging);
      int and = (int) keep;
      int xor = (int) flip;
      for (int i = 0; i < 64; i++) {
        staging[i] = values[i] & and ^ xor;
      }
      return staging;
    }

    @Override
    long[] longs(WaveState w, long[] staging) {
      long[] values = inner.longs(w, staging);
      for (int i = 0; i < 64; i++) {
        staging[i] = values[i] & keep ^ flip;
      }
      return staging;
    }
  }

  /**
   * A part of a 32-bit operand, zero- or sign-extended: SDWA selectors, op_sel halves, 16-bit
   * integers.
   */
  static final class Part extends VectorSource {
    private final VectorSource inner;
    private final int left;
    private final int right;
    private final boolean signed;

    Part(VectorSource inner, int firstBit, int width, boolean signed) {
      this.inner = inner;
      this.left = 32 - firstBit - width;
      this.right = 32 - width;
      this.signed = signed;
    }

    static VectorSource sdwa(VectorSource inner, int selector, boolean signed) {
      if (selector == 6) {
        return inner;
      }
      return selector < 4
          ? new Part(inner, 8 * selector, 8, signed)
          : new Part(inner, 16 * (selector - 4), 16, signed);
    }

    @Override
    int[] ints(WaveState w, int[] staging) {
      int[] values = inner.ints(w, staging);
      if (signed) {
        for (int i = 0; i < 64; i++) {
          staging[i] = values[i] << left >> right;
        }
      } else {
        for (int i = 0; i < 64; i++) {
          staging[i] = values[i] << left >>> right;
        }
      }
      return staging;
    }

    @Override
    long[] longs(WaveState w, long[] staging) {
      throw new IllegalStateException("no 64-bit operand has parts");
    }
  }

  /** A vector operand whose lanes are exchanged (DPP); lanes without a valid source get zero. */
  static final class Permuted extends VectorSource {
    private final VectorSource inner;
    private final Dpp dpp;

    Permuted(VectorSource inner, GcnInstruction instruction) {
      this.inner = inner;
      this.dpp = new Dpp(instruction);
    }

    @Override
    int[] ints(WaveState w, int[] staging) {
      int[] values = inner.ints(w, staging).clone();
      long exec = w.exec();
      for (int i = 0; i < 64; i++) {
        int from = dpp.source(i);
        staging[i] = from >= 0 && (exec >>> from & 1) != 0 ? values[from] : 0;
      }
      return staging;
    }

    @Override
    long[] longs(WaveState w, long[] staging) {
      long[] values = inner.longs(w, staging).clone();
      long exec = w.exec();
      for (int i = 0; i < 64; i++) {
        int from = dpp.source(i);
        staging[i] = from >= 0 && (exec >>> from & 1) != 0 ? values[from] : 0;
      }
      return staging;
    }
  }
}
