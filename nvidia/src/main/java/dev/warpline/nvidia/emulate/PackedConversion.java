package dev.warpline.nvidia.emulate;

import dev.warpline.nvidia.emulate.Real.Rounding;

/** F2FP: real numbers to and from those of 16, 8 and 19 bits, two at once. */
final class PackedConversion {
  private PackedConversion() {}

  /** Numbers of 8 bits. */
  private enum Quarter {
    E4M3(3, 7, 0x7e),
    E5M2(2, 15, 0x7b);

    private static final int NAN = 0x7f;

    private final int mantissaBits;
    private final int bias;

    /** The largest number. */
    private final int most;

    Quarter(int mantissaBits, int bias, int most) {
      this.mantissaBits = mantissaBits;
      this.bias = bias;
      this.most = most;
    }

    /** The nearest number; the largest for what is larger. */
    int nearest(double value) {
      if (Double.isNaN(value)) {
        return NAN;
      }
      int sign = Double.doubleToRawLongBits(value) < 0 ? 0x80 : 0;
      double magnitude = Math.abs(value);
      int exponent = Math.max(Math.getExponent(magnitude), 1 - bias);
      if (exponent > bias + 1) {
        return sign | most;
      }
      long digits = (long) Math.rint(Math.scalb(magnitude, mantissaBits - exponent));
      return sign | (int) Math.min(most, (exponent + bias - 1L << mantissaBits) + digits);
    }

    double value(int bits) {
      int magnitude = bits & 0x7f;
      if (magnitude == NAN || this == E5M2 && magnitude > most + 1) {
        return Double.NaN;
      }
      int exponent = magnitude >> mantissaBits;
      int digits = magnitude & (1 << mantissaBits) - 1 | (exponent > 0 ? 1 << mantissaBits : 0);
      double value =
          this == E5M2 && magnitude == most + 1
              ? Double.POSITIVE_INFINITY
              : Math.scalb((double) digits, Math.max(exponent, 1) - bias - mantissaBits);
      return (bits & 0x80) != 0 ? -value : value;
    }
  }

  static LaneOperation of(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow(
        "F16",
        "BF16",
        "F32",
        "TF32",
        "E4M3",
        "E5M2",
        "PACK_AB",
        "PACK_B",
        "MERGE_C",
        "UNPACK_B",
        "PACK_AB_MERGE_C",
        "UNPACK_B_MERGE_C",
        "RN",
        "RZ",
        "RELU",
        "SATFINITE");
    if (instruction.has("TF32")) {
      return tensor(form);
    }
    if (instruction.has("E4M3") || instruction.has("E5M2")) {
      Quarter type = instruction.has("E4M3") ? Quarter.E4M3 : Quarter.E5M2;
      return instruction.has("UNPACK_B") ? unpack(form, type) : packQuarters(form, type);
    }
    return packHalves(form);
  }

  /** Negative numbers and minus zero become zero. */
  private static double relu(double value) {
    return value > 0 || Double.isNaN(value) ? value : 0;
  }

  /** Two halves, the first above the second; or one that replaces the lower half of another. */
  private static LaneOperation packHalves(Form form) {
    SassInstruction instruction = form.instruction;
    HalfFormat type = HalfFormat.of(instruction);
    boolean relu = instruction.has("RELU");
    Rounding rounding = Real.rounding(instruction);
    if (instruction.has("MERGE_C")) {
      return Lanewise.of(
          form.destination,
          form.single(0),
          form.plain(1),
          (a, b, c) -> b & 0xffff0000 | half(a, type, relu, rounding) & 0xffff);
    }
    if (!instruction.has("PACK_AB")) {
      throw instruction.unsupported("expected .PACK_AB or .MERGE_C");
    }
    return Lanewise.of(
        form.destination,
        form.single(0),
        form.single(1),
        (a, b, c) -> half(a, type, relu, rounding) << 16 | half(b, type, relu, rounding) & 0xffff);
  }

  private static int half(int bits, HalfFormat type, boolean relu, Rounding rounding) {
    double value = Float.intBitsToFloat(bits);
    return type.rounded(relu ? relu(value) : value, rounding);
  }

  /** Rounds to 10 bits of mantissa; ties go to the even number. */
  private static LaneOperation tensor(Form form) {
    SassInstruction instruction = form.instruction;
    boolean relu = instruction.has("RELU");
    boolean truncate = instruction.has("RZ");
    return Lanewise.of(
        form.destination,
        form.single(0),
        (a, b, c) -> {
          boolean number = !Float.isNaN(Float.intBitsToFloat(a));
          if (number && relu && a < 0) {
            return 0;
          }
          return number && truncate ? a & 0xffffe000 : nearestTensor(a);
        });
  }

  /** A number in single precision with 10 bits of mantissa, the nearest; ties go to the even. */
  static int nearestTensor(int bits) {
    if (Float.isNaN(Float.intBitsToFloat(bits))) {
      return Real.NAN & 0xffffe000;
    }
    boolean finite = (bits & 0x7f800000) != 0x7f800000;
    return (finite ? bits + 0xfff + (bits >> 13 & 1) : bits) & 0xffffe000;
  }

  /** Two numbers of 8 bits below two that are there already. */
  private static LaneOperation packQuarters(Form form, Quarter type) {
    SassInstruction instruction = form.instruction;
    boolean relu = instruction.has("RELU");
    if (instruction.has("UNPACK_B_MERGE_C")) {
      return Lanewise.of(
          form.destination,
          Source.halves(instruction, form.source(0)),
          form.plain(1),
          (a, b, c) ->
              b << 16
                  | quarter(HalfFormat.HALF.value(a >>> 16), type, relu) << 8
                  | quarter(HalfFormat.HALF.value(a), type, relu));
    }
    if (!instruction.has("PACK_AB_MERGE_C")) {
      throw instruction.unsupported("expected .PACK_AB_MERGE_C");
    }
    return Lanewise.of(
        form.destination,
        form.single(0),
        form.single(1),
        form.plain(2),
        (a, b, c) ->
            c << 16
                | quarter(Float.intBitsToFloat(a), type, relu) << 8
                | quarter(Float.intBitsToFloat(b), type, relu));
  }

  private static int quarter(float value, Quarter type, boolean relu) {
    return type.nearest(relu ? relu(value) : value);
  }

  /** Two numbers of 8 bits as halves. */
  private static LaneOperation unpack(Form form, Quarter type) {
    SassInstruction instruction = form.instruction;
    boolean relu = instruction.has("RELU");
    HalfFormat to = HalfFormat.of(instruction);
    return Lanewise.of(
        form.destination,
        Source.halves(instruction, form.source(0)),
        (a, b, c) ->
            unpacked(a >>> 8 & 0xff, type, to, relu) << 16
                | unpacked(a & 0xff, type, to, relu) & 0xffff);
  }

  private static int unpacked(int bits, Quarter type, HalfFormat to, boolean relu) {
    double value = type.value(bits);
    return to.nearest(relu ? relu(value) : value);
  }
}
