package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnOperand;

/** Inline constants and literals as an operand of a given type sees them. */
final class Constants {
  private static final float[] FLOATS = {0.5f, -0.5f, 1, -1, 2, -2, 4, -4};

  private Constants() {}

  /**
   * The bits of the constant. A literal of an f64 operand is its upper half; one of a bit operand
   * is zero-extended.
   */
  static long value(int code, OperandType type, int literal) {
    if (code == GcnOperand.LITERAL) {
      return switch (type) {
        case F64 -> (long) literal << 32;
        case B64 -> literal & 0xffffffffL;
        default -> literal;
      };
    }
    if (GcnOperand.isInlineInteger(code)) {
      return GcnOperand.inlineInteger(code);
    }
    boolean inversePi = code == GcnOperand.ONE_OVER_TWO_PI;
    float value = inversePi ? 0 : FLOATS[code - GcnOperand.HALF];
    return switch (type) {
      case F64, B64, I64 -> inversePi ? 0x3fc45f306dc9c882L : Double.doubleToRawLongBits(value);
      case F16 -> inversePi ? 0x3118 : Half.fromFloat(value);
      default -> inversePi ? 0x3e22f983 : Float.floatToRawIntBits(value);
    };
  }
}
