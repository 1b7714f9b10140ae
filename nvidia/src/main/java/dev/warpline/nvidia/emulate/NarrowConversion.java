package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;

/** F2FP to and from numbers of 8 bits, and to those of 19 that tensor cores take of 32. */
final class NarrowConversion {
  private static final int TIE = 1 << 12;

  private NarrowConversion() {}

  /** The operation of an F2FP, or null if it is not one of these. */
  static LaneOperation of(Form form) {
    SassInstruction instruction = form.instruction;
    String type = instruction.oneOf("", "E4M3", "E5M2", "TF32");
    return switch (type) {
      case "" -> null;
      case "TF32" -> tensor(form);
      default ->
          instruction.has("UNPACK_B")
              ? unpack(form, Factor.valueOf(type))
              : pack(form, Factor.valueOf(type));
    };
  }

  /** Rounds to 10 bits of mantissa, ties away from zero. */
  private static LaneOperation tensor(Form form) {
    form.instruction.allow("TF32", "F32", "PACK_B");
    return Lanewise.of(
        form.destination,
        form.single(0),
        (a, b, c) -> {
          boolean finite = (a & 0x7f800000) != 0x7f800000;
          boolean number = finite || (a & 0x7fffff) == 0;
          return finite ? a + TIE & -2 * TIE : number ? a : Real.NAN;
        });
  }

  /** Two numbers of 8 bits as halves. */
  private static LaneOperation unpack(Form form, Factor type) {
    form.instruction.allow("F16", "E4M3", "E5M2", "UNPACK_B");
    int shift = form.source(0).selector().equals("H1") ? 16 : 0;
    return Lanewise.of(
        form.destination,
        form.plain(0),
        (a, b, c) -> half(type, a >>> shift & 0xff) | half(type, a >>> shift + 8 & 0xff) << 16);
  }

  private static int half(Factor type, int element) {
    return Real.toHalf(type.value(element)) & 0xffff;
  }

  /** Two numbers to 8 bits each, the first above the second. */
  private static LaneOperation pack(Form form, Factor type) {
    SassInstruction instruction = form.instruction;
    instruction.allow("SATFINITE", "E4M3", "E5M2", "F32", "F16", "PACK_AB_MERGE_C", "RELU");
    Operand merged = form.source(form.sources.size() - 1);
    if (!instruction.has("F32") || !merged.is(Kind.REGISTER) || merged.index() != Warp.ZERO) {
      throw instruction.unsupported("expected two single-precision numbers and RZ");
    }
    boolean relu = instruction.has("RELU");
    return Lanewise.of(
        form.destination,
        form.single(0),
        form.single(1),
        (a, b, c) -> narrow(type, a, relu) << 8 | narrow(type, b, relu));
  }

  private static int narrow(Factor type, int bits, boolean relu) {
    float value = Float.intBitsToFloat(bits);
    int mantissa = type == Factor.E4M3 ? 3 : 2;
    int bias = type == Factor.E4M3 ? 7 : 15;
    int most = type == Factor.E4M3 ? 0x7e : 0x7b;
    if (Float.isNaN(value)) {
      return 0x7f;
    }
    int sign = bits < 0 && !(relu && value < 0) ? 0x80 : 0;
    double magnitude = relu && value < 0 ? 0 : Math.abs((double) value);
    int exponent = Math.max(1 - bias, magnitude == 0 ? 1 - bias : Math.getExponent(magnitude));
    if (exponent > bias + 1) {
      return sign | most;
    }
    long digits = (long) Math.rint(Math.scalb(magnitude, mantissa - exponent));
    return sign | (int) Math.min(most, (exponent + bias - 1L << mantissa) + digits);
  }
}
