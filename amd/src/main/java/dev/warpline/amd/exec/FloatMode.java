package dev.warpline.amd.exec;

import java.math.BigDecimal;

/** What the MODE register and the output modifiers do to floating-point operands and results. */
final class FloatMode {
  private FloatMode() {}

  /** Denormal control of a type: bit 0 keeps denormal inputs, bit 1 denormal results. */
  private static int denormals(int mode, OperandType type) {
    return type == OperandType.F32 ? mode >> 4 & 3 : mode >> 6 & 3;
  }

  static boolean flushesOutput(int mode, OperandType type) {
    return (denormals(mode, type) & 2) == 0;
  }

  static void flushInputs(int mode, OperandType a, OperandType b, OperandType c, Lanes x) {
    if (flushesInput(mode, a)) {
      if (a.isWide()) {
        x.la = flushed(x.la, x.stagedLong0);
      } else {
        x.a = flushed(a, x.a, x.staged0);
      }
    }
    if (flushesInput(mode, b)) {
      if (b.isWide()) {
        x.lb = flushed(x.lb, x.stagedLong1);
      } else {
        x.b = flushed(b, x.b, x.staged1);
      }
    }
    if (flushesInput(mode, c)) {
      if (c.isWide()) {
        x.lc = flushed(x.lc, x.stagedLong2);
      } else {
        x.c = flushed(c, x.c, x.staged2);
      }
    }
  }

  private static boolean flushesInput(int mode, OperandType type) {
    return type.isFloat && (denormals(mode, type) & 1) == 0;
  }

  static void flushOutput(OperandType type, Lanes x) {
    if (type.isWide()) {
      flushed(x.lr, x.lr);
    } else {
      flushed(type, x.r, x.r);
    }
  }

  private static int[] flushed(OperandType type, int[] values, int[] target) {
    int exponent = type == OperandType.F16 ? 0x7c00 : 0x7f800000;
    int sign = type == OperandType.F16 ? 0x8000 : 0x80000000;
    for (int i = 0; i < 64; i++) {
      target[i] = (values[i] & exponent) == 0 ? values[i] & sign : values[i];
    }
    return target;
  }

  private static long[] flushed(long[] values, long[] target) {
    for (int i = 0; i < 64; i++) {
      target[i] = (values[i] & 0x7ff0000000000000L) == 0 ? values[i] & Long.MIN_VALUE : values[i];
    }
    return target;
  }

  /** omod: times 2, times 4, divided by 2. */
  static void outputModifier(int omod, OperandType type, Lanes x) {
    if (omod == 0) {
      return;
    }
    float factor = omod == 1 ? 2 : omod == 2 ? 4 : 0.5f;
    for (int i = 0; i < 64; i++) {
      switch (type) {
        case F32 -> x.r[i] = Float.floatToIntBits(Float.intBitsToFloat(x.r[i]) * factor);
        case F64 -> x.lr[i] = Double.doubleToLongBits(Double.longBitsToDouble(x.lr[i]) * factor);
        default -> x.r[i] = Half.fromFloat(Half.toFloat(x.r[i]) * factor);
      }
    }
  }

  /** Clamp to [0, 1]; NaN becomes 0 under DX10_CLAMP. */
  static void clamp(OperandType type, boolean dx10, Lanes x) {
    for (int i = 0; i < 64; i++) {
      double value =
          switch (type) {
            case F32 -> Float.intBitsToFloat(x.r[i]);
            case F64 -> Double.longBitsToDouble(x.lr[i]);
            default -> Half.toFloat(x.r[i]);
          };
      if (value != value && !dx10) {
        continue;
      }
      if (value > 0 && value <= 1) {
        continue;
      }
      boolean one = value > 1;
      switch (type) {
        case F32 -> x.r[i] = one ? 0x3f800000 : 0;
        case F64 -> x.lr[i] = one ? 0x3ff0000000000000L : 0;
        default -> x.r[i] = one ? 0x3c00 : 0;
      }
    }
  }

  /**
   * Exact value of a lane's operand; null for infinity and NaN, zero for an operand the function
   * does not have.
   */
  static BigDecimal exact(OperandType type, int[] narrow, long[] wide, int lane, String mnemonic) {
    double value =
        switch (type) {
          case NONE -> 0;
          case F16 -> Half.toFloat(narrow[lane]);
          case F32 -> Float.intBitsToFloat(narrow[lane]);
          case F64 -> Double.longBitsToDouble(wide[lane]);
          // conversions from integers
          case B64, I64 -> wide[lane];
          case B32 -> mnemonic.endsWith("u32") ? narrow[lane] & 0xffffffffL : narrow[lane];
          case I16, U16 -> narrow[lane];
        };
    return Double.isFinite(value) ? new BigDecimal(value) : null;
  }
}
