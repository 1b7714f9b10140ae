package dev.warpline.isa.gcn;

/**
 * Operand codes: the 9-bit source codes of the encoding, extended by 512..767 for accumulation
 * registers.
 */
public final class GcnOperand {
  /** No operand in this slot. */
  public static final int NONE = -1;

  public static final int FLAT_SCRATCH = 102;
  public static final int XNACK_MASK = 104;
  public static final int VCC = 106;
  public static final int TTMP0 = 108;
  public static final int M0 = 124;
  public static final int EXEC = 126;
  public static final int ZERO = 128;
  public static final int SHARED_BASE = 235;
  public static final int SHARED_LIMIT = 236;
  public static final int PRIVATE_BASE = 237;
  public static final int PRIVATE_LIMIT = 238;
  public static final int POPS_EXITING_WAVE_ID = 239;

  /** 0.5; the following seven are -0.5, 1, -1, 2, -2, 4, -4. */
  public static final int HALF = 240;

  public static final int ONE_OVER_TWO_PI = 248;
  static final int SDWA = 249;
  static final int DPP = 250;
  public static final int VCCZ = 251;
  public static final int EXECZ = 252;
  public static final int SCC = 253;
  public static final int LDS_DIRECT = 254;

  /** The value is {@link GcnInstruction#literal}. */
  public static final int LITERAL = 255;

  public static final int VGPR0 = 256;
  public static final int AGPR0 = 512;

  private GcnOperand() {}

  /** Whether the code names a scalar register: s0..s101, flat_scratch, vcc, ttmp, m0, exec. */
  public static boolean isScalarRegister(int code) {
    return code >= 0 && code < 128;
  }

  /** Whether the code names v0..v255. */
  public static boolean isVgpr(int code) {
    return code >= VGPR0 && code < AGPR0;
  }

  /** Whether the code names a0..a255. */
  public static boolean isAgpr(int code) {
    return code >= AGPR0;
  }

  /** Whether the code is an integer constant: 0..64 or -1..-16. */
  public static boolean isInlineInteger(int code) {
    return code >= ZERO && code <= 208;
  }

  /** The value of an integer constant. */
  public static int inlineInteger(int code) {
    return code <= 192 ? code - ZERO : 192 - code;
  }

  /** Whether the code is a floating-point constant, as wide as the operation. */
  public static boolean isInlineFloat(int code) {
    return code >= HALF && code <= ONE_OVER_TWO_PI;
  }
}
