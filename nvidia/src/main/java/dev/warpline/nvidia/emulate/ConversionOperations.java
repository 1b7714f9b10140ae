package dev.warpline.nvidia.emulate;

import dev.warpline.nvidia.emulate.Real.Rounding;
import java.util.List;

/** Conversions between kinds of numbers. */
final class ConversionOperations {
  private ConversionOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    return switch (mnemonic) {
      case "I2F", "I2FP" -> toReal(Form.of(instruction));
      case "F2I" -> toInteger(Form.of(instruction));
      case "F2IP" -> packReals(Form.of(instruction));
      case "F2F" -> convert(Form.of(instruction));
      case "FRND" -> round(Form.of(instruction));
      case "F2FP" -> PackedConversion.of(Form.of(instruction));
      case "I2I" -> narrow(Form.of(instruction));
      case "I2IP" -> packIntegers(Form.of(instruction));
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
        "F32", "F64", "F16", "BF16", "S32", "U32", "S64", "U64", "S16", "U16", "S8", "U8", "RN",
        "RM", "RP", "RZ");
    boolean wide = instruction.has("S64") || instruction.has("U64");
    boolean unsigned = instruction.oneOf("S32", WIDTHS).startsWith("U");
    int bits = Integer.parseInt(instruction.oneOf("S32", WIDTHS).substring(1));
    String to = instruction.oneOf("F32", "F64", "F16", "BF16");
    Rounding rounding = Real.rounding(instruction);
    boolean simple = !wide && to.equals("F32") && rounding == Rounding.NEAREST;
    String part = form.source(0).selector();
    int shift = part.startsWith("B") ? 8 * (part.charAt(1) - '0') : part.equals("H1") ? 16 : 0;
    return map(
        form,
        wide,
        to.equals("F64"),
        Source.integer(instruction, form.source(0)),
        raw -> {
          long value = raw;
          if (!wide) {
            int away = 64 - bits;
            value = raw >> shift << away;
            value = unsigned ? value >>> away : value >> away;
          }
          if (simple) {
            return Real.bits((float) value);
          }
          double high = unsigned ? (double) (value >>> 32) : (double) (value >> 32);
          double low = Words64.unsigned((int) value);
          return switch (to) {
            case "F64" ->
                Double.doubleToRawLongBits(
                    wide ? Real.fma(high, 0x1p32, low, rounding) : high * 0x1p32 + low);
            case "F16" -> HalfFormat.HALF.rounded(Real.sumToOdd(high * 0x1p32, low), rounding);
            case "BF16" -> HalfFormat.BFLOAT.rounded(Real.sumToOdd(high * 0x1p32, low), rounding);
            default -> Real.bits(Real.sum(high * 0x1p32, low, rounding));
          };
        });
  }

  private static final String[] WIDTHS = {"S32", "U32", "S64", "U64", "S16", "U16", "S8", "U8"};

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
        "FTZ", "NTZ", "F32", "F64", "F16", "BF16", "S32", "U32", "S64", "U64", "S16", "U16", "S8",
        "U8", "FLOOR", "CEIL", "TRUNC");
    String from = instruction.oneOf("F32", "F64", "F16", "BF16");
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
    List<String> types =
        instruction.modifiers().stream().filter(m -> m.matches("B?F\\d+")).toList();
    if (types.size() != 2) {
      throw instruction.unsupported("expected two types");
    }
    String to = types.get(0);
    String from = types.get(1);
    Rounding rounding = Real.rounding(instruction);
    boolean flush = instruction.has("FTZ");
    return map(
        form,
        from.equals("F64"),
        to.equals("F64"),
        source(form, from),
        raw -> {
          double value = real(raw, from);
          if (Double.isNaN(value) && (to.equals("F64") || from.equals("F64"))) {
            return nan(raw, from, to);
          }
          return switch (to) {
            case "F64" ->
                Double.doubleToRawLongBits(flush && Real.subnormal(value) ? value * 0 : value);
            case "F16" -> HalfFormat.HALF.rounded(value, rounding);
            case "BF16" -> HalfFormat.BFLOAT.rounded(value, rounding);
            default ->
                Real.bits(
                    flush && Real.tiny(value, rounding)
                        ? (float) (value * 0)
                        : Real.round(value, rounding));
          };
        });
  }

  /** What is no number keeps its sign and its first digits on the way from or to a double. */
  private static long nan(long bits, String from, String to) {
    long wide =
        switch (from) {
          case "F64" -> bits;
          case "F16" -> (bits & 0x8000) << 48 | 0x7ffL << 52 | (bits & 0x3ff) << 42;
          case "BF16" -> (bits & 0x8000) << 48 | 0x7ffL << 52 | (bits & 0x7f) << 45;
          default -> (bits & 0x80000000L) << 32 | 0x7ffL << 52 | (bits & 0x7fffff) << 29;
        };
    return switch (to) {
      case "F64" -> wide | Real.QUIET;
      case "F16" -> HalfFormat.HALF.nan(wide);
      case "BF16" -> HalfFormat.BFLOAT.nan(wide);
      default -> (wide < 0 ? 1L << 31 : 0) | 0x7fc00000 | wide >>> 29 & 0x7fffff;
    };
  }

  private static LaneOperation round(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("FTZ", "F32", "F64", "F16", "BF16", "FLOOR", "CEIL", "TRUNC");
    String type = instruction.oneOf("F32", "F64", "F16", "BF16");
    boolean wide = type.equals("F64");
    boolean flush = instruction.has("FTZ");
    return map(
        form,
        wide,
        wide,
        source(form, type),
        raw -> {
          double value = real(raw, type);
          if (wide && Double.isNaN(value)) {
            return raw | Real.QUIET;
          }
          double rounded = whole(flush && Real.subnormal(value) ? value * 0 : value, instruction);
          return switch (type) {
            case "F64" -> Double.doubleToRawLongBits(rounded);
            case "F16" -> HalfFormat.HALF.nearest(rounded);
            case "BF16" -> HalfFormat.BFLOAT.nearest(rounded);
            default -> Real.bits((float) rounded);
          };
        });
  }

  /** Integers to narrower ones, as near as these come. */
  private static LaneOperation narrow(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("S8", "U8", "S16", "U16", "S32", "U32", "SAT");
    Clamp clamp = new Clamp(instruction);
    boolean saturate = instruction.has("SAT");
    return Lanewise.of(
        form.destination, form.integer(0), (a, b, c) -> saturate ? clamp.apply(a) : clamp.cut(a));
  }

  /** Two integers side by side, the first above the second; bytes leave room for two others. */
  private static LaneOperation packIntegers(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("S8", "U8", "S16", "U16", "S32", "SAT");
    Clamp clamp = new Clamp(instruction);
    return Lanewise.of(
        form.destination,
        form.integer(0),
        form.integer(1),
        form.integer(2),
        (a, b, c) -> clamp.pack(clamp.apply(a), clamp.apply(b), c));
  }

  /** The range of an integer type. */
  private static final class Clamp {
    private final int bits;
    private final boolean unsigned;
    private final boolean unsignedSource;

    Clamp(SassInstruction instruction) {
      String type = instruction.oneOf("S32", "S8", "U8", "S16", "U16");
      bits = Integer.parseInt(type.substring(1));
      unsigned = type.startsWith("U");
      unsignedSource = instruction.has("U32");
    }

    int apply(int value) {
      long wide = unsignedSource ? Words64.unsigned(value) : value;
      long least = unsigned ? 0 : -(1L << bits - 1);
      long most = unsigned ? (1L << bits) - 1 : (1L << bits - 1) - 1;
      return (int) Math.max(least, Math.min(most, wide));
    }

    int cut(int value) {
      int away = 32 - bits;
      return unsigned ? value << away >>> away : value << away >> away;
    }

    int pack(int first, int second, int rest) {
      int mask = (1 << bits) - 1;
      int both = (first & mask) << bits | second & mask;
      return bits == 8 ? rest << 16 | both : both;
    }
  }

  /** F2IP: as I2IP, from real numbers. */
  private static LaneOperation packReals(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("S8", "U8", "F32", "NTZ", "FTZ", "FLOOR", "CEIL", "TRUNC");
    Clamp clamp = new Clamp(instruction);
    return Lanewise.of(
        form.destination,
        form.single(0),
        form.single(1),
        form.integer(2),
        (a, b, c) ->
            clamp.pack(
                clamp.apply(integer(a, instruction)), clamp.apply(integer(b, instruction)), c));
  }

  /** The nearest whole number of 32 bits. */
  private static int integer(int bits, SassInstruction instruction) {
    return (int) whole(Float.intBitsToFloat(bits), instruction);
  }
}
