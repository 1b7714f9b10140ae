package dev.warpline.nvidia.emulate;

import dev.warpline.nvidia.emulate.Real.Rounding;

/** Conversions between kinds of numbers. */
final class ConversionOperations {
  private ConversionOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    return switch (mnemonic) {
      case "I2F", "I2FP" -> toReal(Form.of(instruction));
      case "F2I", "F2IP" -> toInteger(Form.of(instruction));
      case "F2F" -> convert(Form.of(instruction));
      case "FRND" -> round(Form.of(instruction));
      case "F2FP" -> pack(Form.of(instruction));
      case "I2I", "I2IP" -> throw instruction.unsupported("is not emulated");
      default -> null;
    };
  }

  private interface Conversion {
    long apply(long value);
  }

  /** Reads one or two words of each lane and writes one or two. */
  private static LaneOperation map(
      Form form, boolean wideSource, boolean wideResult, Source low, Conversion conversion) {
    Source high = wideSource ? Source.highDouble(form.instruction, form.source(0)) : low;
    return (warp, mask) -> {
      int[] a = low.read(warp);
      int[] b = high.read(warp);
      int[] out = warp.registers[form.destination];
      int[] outHigh = wideResult ? warp.registers[form.next(1)] : null;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long result = conversion.apply(wideSource ? Words64.join(a[lane], b[lane]) : a[lane]);
        out[lane] = (int) result;
        if (wideResult) {
          outHigh[lane] = (int) (result >>> 32);
        }
      }
    };
  }

  private static LaneOperation toReal(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow(
        "F32", "F64", "F16", "S32", "U32", "S64", "U64", "S16", "U16", "S8", "U8", "RN", "RM", "RP",
        "RZ");
    boolean wide = instruction.has("S64") || instruction.has("U64");
    boolean unsigned =
        instruction.has("U32")
            || instruction.has("U64")
            || instruction.has("U16")
            || instruction.has("U8");
    int bits = Integer.parseInt(instruction.oneOf("S32", WIDTHS).substring(1));
    boolean toDouble = instruction.has("F64");
    boolean toHalf = instruction.has("F16");
    Rounding rounding = Real.rounding(instruction);
    String part = form.source(0).selector();
    int shift = part.startsWith("B") ? 8 * (part.charAt(1) - '0') : part.equals("H1") ? 16 : 0;
    if (wide && rounding != Rounding.NEAREST) {
      return wideDirected(form, unsigned, rounding, toDouble);
    }
    return map(
        form,
        wide,
        toDouble,
        Source.integer(instruction, form.source(0)),
        raw -> {
          long value = raw;
          if (!wide) {
            int away = 64 - bits;
            value = raw >> shift << away;
            value = unsigned ? value >>> away : value >> away;
          }
          if (toDouble) {
            return Double.doubleToRawLongBits(wide && unsigned ? unsignedDouble(value) : value);
          }
          if (toHalf) {
            return Real.toHalf(value);
          }
          float result =
              wide
                  ? unsigned ? unsignedFloat(value) : (float) value
                  : Real.round((double) value, rounding);
          return Real.bits(result);
        });
  }

  private static final String[] WIDTHS = {"S32", "U32", "S64", "U64", "S16", "U16", "S8", "U8"};

  private static LaneOperation wideDirected(
      Form form, boolean unsigned, Rounding rounding, boolean toDouble) {
    if (toDouble) {
      throw form.instruction.unsupported("directed rounding to double is not emulated");
    }
    return map(
        form,
        true,
        false,
        Source.integer(form.instruction, form.source(0)),
        value -> {
          double high = unsigned ? (double) (value >>> 32) : (double) (value >> 32);
          double exactLow = Words64.unsigned((int) value);
          return Real.bits(Real.sum(high * 0x1p32, exactLow, rounding));
        });
  }

  private static double unsignedDouble(long value) {
    return value >= 0 ? (double) value : 2 * (double) (value >>> 1 | value & 1);
  }

  private static float unsignedFloat(long value) {
    return value >= 0 ? (float) value : 2 * (float) (value >>> 1 | value & 1);
  }

  /** A real source of any width as a double. */
  private static double real(long bits, String type) {
    return switch (type) {
      case "F64" -> Double.longBitsToDouble(bits);
      case "F16" -> Real.fromHalf((int) bits & 0xffff);
      case "BF16" -> Real.fromBfloat((int) bits & 0xffff);
      default -> Float.intBitsToFloat((int) bits);
    };
  }

  private static double whole(double value, SassInstruction instruction) {
    return switch (instruction.oneOf("RN", "FLOOR", "CEIL", "TRUNC")) {
      case "FLOOR" -> Math.floor(value);
      case "CEIL" -> Math.ceil(value);
      case "TRUNC" -> value < 0 ? Math.ceil(value) : Math.floor(value);
      default -> Math.rint(value);
    };
  }

  private static Source source(Form form, String type) {
    return switch (type) {
      case "F64" -> Source.low(form.instruction, form.source(0));
      case "F16", "BF16" -> Source.halves(form.instruction, form.source(0));
      default -> form.single(0);
    };
  }

  private static LaneOperation toInteger(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow(
        "FTZ", "NTZ", "F32", "F64", "F16", "S32", "U32", "S64", "U64", "S16", "U16", "S8", "U8",
        "FLOOR", "CEIL", "TRUNC");
    String from = instruction.oneOf("F32", "F64", "F16");
    String to = instruction.oneOf("S32", WIDTHS);
    int bits = Integer.parseInt(to.substring(1));
    boolean unsigned = to.startsWith("U");
    boolean flush = instruction.has("FTZ");
    boolean nanIsZero = instruction.has("NTZ");
    double least = unsigned ? 0 : -Math.scalb(1.0, bits - 1);
    double beyond = Math.scalb(1.0, unsigned ? bits : bits - 1);
    return map(
        form,
        from.equals("F64"),
        bits == 64,
        source(form, from),
        raw -> {
          double value = real(raw, from);
          if (flush) {
            value = Math.abs(value) < Float.MIN_NORMAL ? 0 : value;
          }
          if (Double.isNaN(value)) {
            return nanIsZero ? 0 : 1L << bits - 1;
          }
          double rounded = whole(value, instruction);
          if (rounded >= beyond) {
            return unsigned ? bits == 64 ? -1 : (1L << bits) - 1 : (1L << bits - 1) - 1;
          }
          if (rounded <= least) {
            return (long) least;
          }
          return rounded >= 0x1p63 ? (long) (rounded - 0x1p63) ^ Long.MIN_VALUE : (long) rounded;
        });
  }

  private static LaneOperation convert(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("FTZ", "F32", "F64", "F16", "BF16", "RN", "RZ", "RM", "RP");
    if (instruction.modifiers().stream().filter(m -> m.matches("B?F\\d+")).count() != 2) {
      throw instruction.unsupported("expected two types");
    }
    String to = instruction.oneOf("", "F32", "F64", "F16", "BF16");
    String from =
        instruction.modifiers().stream().filter(m -> m.matches("B?F\\d+")).toList().get(1);
    Rounding rounding = Real.rounding(instruction);
    boolean flush = instruction.has("FTZ");
    if (rounding != Rounding.NEAREST && !to.equals("F32")) {
      throw instruction.unsupported("directed rounding to " + to + " is not emulated");
    }
    return map(
        form,
        from.equals("F64"),
        to.equals("F64"),
        source(form, from),
        raw -> {
          double value = real(raw, from);
          return switch (to) {
            case "F64" ->
                Double.isNaN(value) ? 0x7fffffffe0000000L : Double.doubleToRawLongBits(value);
            case "F16" -> Real.toHalf(value);
            case "BF16" -> Real.toBfloat(value);
            default -> {
              float result = Real.round(value, rounding);
              yield Real.bits(flush ? Real.flush(result) : result);
            }
          };
        });
  }

  private static LaneOperation round(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("FTZ", "F32", "F64", "FLOOR", "CEIL", "TRUNC");
    boolean wide = instruction.has("F64");
    return map(
        form,
        wide,
        wide,
        source(form, wide ? "F64" : "F32"),
        raw -> {
          double rounded = whole(real(raw, wide ? "F64" : "F32"), instruction);
          return wide ? Double.doubleToRawLongBits(rounded) : Real.bits((float) rounded);
        });
  }

  /** Packs two numbers as halves: the first above the second. */
  private static LaneOperation pack(Form form) {
    SassInstruction instruction = form.instruction;
    LaneOperation narrow = NarrowConversion.of(form);
    if (narrow != null) {
      return narrow;
    }
    instruction.allow("F16", "BF16", "F32", "PACK_AB", "RN", "RELU");
    boolean bfloat = instruction.has("BF16");
    boolean relu = instruction.has("RELU");
    return Lanewise.of(
        form.destination,
        form.single(0),
        form.single(1),
        (a, b, c) -> small(a, bfloat, relu) << 16 | small(b, bfloat, relu) & 0xffff);
  }

  private static int small(int bits, boolean bfloat, boolean relu) {
    float value = Float.intBitsToFloat(bits);
    float kept = relu && value < 0 ? 0 : value;
    return bfloat ? Real.toBfloat(kept) : Real.toHalf(kept);
  }
}
