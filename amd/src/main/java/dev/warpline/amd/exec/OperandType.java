package dev.warpline.amd.exec;

/** Operand types. B is bits: no conversion, no sign. */
enum OperandType {
  NONE(0, false),
  /** 16 bits, sign-extended for the arithmetic. */
  I16(16, false),
  /** 16 bits, zero-extended. */
  U16(16, false),
  F16(16, true),
  B32(32, false),
  F32(32, true),
  B64(64, false),
  /** As B64, but a 32-bit literal is sign-extended. */
  I64(64, false),
  F64(64, true);

  final int bits;
  final boolean isFloat;

  OperandType(int bits, boolean isFloat) {
    this.bits = bits;
    this.isFloat = isFloat;
  }

  boolean isWide() {
    return bits == 64;
  }
}
