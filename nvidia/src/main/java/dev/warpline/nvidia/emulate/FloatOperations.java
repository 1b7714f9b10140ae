package dev.warpline.nvidia.emulate;

import dev.warpline.nvidia.emulate.Real.Rounding;

/** Single- and double-precision arithmetic. */
final class FloatOperations {
  /** Distance of exponents, and exponents, within which a quotient needs no special care. */
  private static final int SAFE_EXPONENT = 126;

  private FloatOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    return switch (mnemonic) {
      case "FADD" -> add(Form.of(instruction));
      case "FMUL" -> multiply(Form.of(instruction));
      case "FFMA" -> multiplyAdd(Form.of(instruction));
      case "FMNMX" -> minimum(Form.of(instruction));
      case "FSEL" -> {
        instruction.allow("FTZ");
        Form form = Form.of(instruction);
        yield Lanewise.select(form.destination, form.single(0), form.single(1), form.input(0));
      }
      case "FSETP" -> compare(Form.compare(instruction));
      case "FSET" -> set(Form.of(instruction));
      case "FCHK" -> check(Form.compare(instruction));
      case "MUFU" -> special(Form.of(instruction));
      case "DADD", "DMUL", "DFMA" -> doubles(Form.of(instruction), mnemonic);
      case "DSETP" -> compareDoubles(Form.compare(instruction));
      default -> null;
    };
  }

  private static float number(int bits, boolean flush) {
    float value = Float.intBitsToFloat(bits);
    return flush ? Real.flush(value) : value;
  }

  private static int result(float value, boolean flush, boolean saturate) {
    float flushed = flush ? Real.flush(value) : value;
    return Real.bits(saturate ? Real.saturate(flushed) : flushed);
  }

  private static LaneOperation add(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("FTZ", "SAT", "RN", "RM", "RP", "RZ");
    Rounding rounding = Real.rounding(instruction);
    boolean flush = instruction.has("FTZ");
    boolean saturate = instruction.has("SAT");
    Lanewise.Words function =
        rounding == Rounding.NEAREST && !flush && !saturate
            ? (a, b, c) -> Real.bits(Float.intBitsToFloat(a) + Float.intBitsToFloat(b))
            : (a, b, c) ->
                result(Real.add(number(a, flush), number(b, flush), rounding), flush, saturate);
    return Lanewise.of(form.destination, form.single(0), form.single(1), function);
  }

  private static LaneOperation multiply(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("FTZ", "SAT", "RN", "RM", "RP", "RZ", "D2", "D4", "D8", "M2", "M4", "M8");
    Rounding rounding = Real.rounding(instruction);
    boolean flush = instruction.has("FTZ");
    boolean saturate = instruction.has("SAT");
    double scale =
        switch (instruction.oneOf("", "D2", "D4", "D8", "M2", "M4", "M8")) {
          case "D2" -> 0.5;
          case "D4" -> 0.25;
          case "D8" -> 0.125;
          case "M2" -> 2;
          case "M4" -> 4;
          case "M8" -> 8;
          default -> 1;
        };
    Lanewise.Words function =
        rounding == Rounding.NEAREST && !flush && !saturate && scale == 1
            ? (a, b, c) -> Real.bits(Float.intBitsToFloat(a) * Float.intBitsToFloat(b))
            : (a, b, c) -> {
              double exact = (double) number(a, flush) * number(b, flush) * scale;
              return result(
                  flush && Real.tiny(exact, rounding)
                      ? (float) (exact * 0)
                      : Real.round(exact, rounding),
                  flush,
                  saturate);
            };
    return Lanewise.of(form.destination, form.single(0), form.single(1), function);
  }

  private static LaneOperation multiplyAdd(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("FTZ", "SAT", "RN", "RM", "RP", "RZ");
    Rounding rounding = Real.rounding(instruction);
    boolean flush = instruction.has("FTZ");
    boolean saturate = instruction.has("SAT");
    Source first = form.single(0);
    Source second = form.single(1);
    Source third = form.single(2);
    if (rounding == Rounding.NEAREST && !flush && !saturate) {
      // The busiest instruction of all, so its loop is its own.
      return (warp, mask) -> {
        int[] a = first.read(warp);
        int[] b = second.read(warp);
        int[] c = third.read(warp);
        int[] out = warp.registers[form.destination];
        for (int m = mask; m != 0; m &= m - 1) {
          int lane = Integer.numberOfTrailingZeros(m);
          out[lane] =
              Real.bits(
                  Math.fma(
                      Float.intBitsToFloat(a[lane]),
                      Float.intBitsToFloat(b[lane]),
                      Float.intBitsToFloat(c[lane])));
        }
      };
    }
    return Lanewise.of(
        form.destination,
        first,
        second,
        third,
        (a, b, c) -> {
          float x = number(a, flush);
          float y = number(b, flush);
          float z = number(c, flush);
          float value = Real.fma(x, y, z, rounding);
          if (flush && Math.abs(value) == Float.MIN_NORMAL) {
            double exact = Real.sumToOdd((double) x * y, z);
            value = Real.tiny(exact, rounding) ? value * 0 : value;
          }
          return result(value, flush, saturate);
        });
  }

  private static LaneOperation minimum(Form form) {
    form.instruction.allow("FTZ", "NAN", "XORSIGN");
    boolean flush = form.instruction.has("FTZ");
    boolean keepNan = form.instruction.has("NAN");
    if (form.instruction.has("XORSIGN")) {
      return minimumWithSign(form, flush, keepNan);
    }
    return Lanewise.choose(
        form.destination,
        form.single(0),
        form.single(1),
        form.input(0),
        (a, b, c, least) -> least(number(a, flush), number(b, flush), keepNan, least));
  }

  /** The least magnitude, say, with the product of both signs. */
  private static LaneOperation minimumWithSign(Form form, boolean flush, boolean keepNan) {
    Source first = form.plain(0);
    Source second = form.plain(1);
    return Lanewise.choose(
        form.destination,
        first,
        second,
        form.input(0),
        (a, b, c, least) -> {
          float x = number(a & Integer.MAX_VALUE, flush);
          float y = number(b & Integer.MAX_VALUE, flush);
          int value = least(x, y, keepNan, least);
          return value == Real.NAN ? value : value | (a ^ b) & Integer.MIN_VALUE;
        });
  }

  private static int least(float x, float y, boolean keepNan, boolean least) {
    if (Float.isNaN(x) || Float.isNaN(y)) {
      return keepNan || Float.isNaN(x) && Float.isNaN(y)
          ? Real.NAN
          : Real.bits(Float.isNaN(x) ? y : x);
    }
    return Real.bits(least ? Math.min(x, y) : Math.max(x, y));
  }

  /** A comparison; a U after its name holds for numbers that cannot be ordered, too. */
  interface Order {
    boolean holds(double a, double b);
  }

  private static final String[] COMPARISONS = {
    "LT", "LE", "GT", "GE", "EQ", "NE", "LTU", "LEU", "GTU", "GEU", "EQU", "NEU", "NUM", "NAN", "T",
    "F"
  };

  static Order order(SassInstruction instruction) {
    return switch (instruction.oneOf("", COMPARISONS)) {
      case "LT" -> (a, b) -> a < b;
      case "LE" -> (a, b) -> a <= b;
      case "GT" -> (a, b) -> a > b;
      case "GE" -> (a, b) -> a >= b;
      case "EQ" -> (a, b) -> a == b;
      case "NE" -> (a, b) -> a < b || a > b;
      case "LTU" -> (a, b) -> !(a >= b);
      case "LEU" -> (a, b) -> !(a > b);
      case "GTU" -> (a, b) -> !(a <= b);
      case "GEU" -> (a, b) -> !(a < b);
      case "EQU" -> (a, b) -> !(a < b || a > b);
      case "NEU" -> (a, b) -> a != b;
      case "NUM" -> (a, b) -> !Double.isNaN(a) && !Double.isNaN(b);
      case "NAN" -> (a, b) -> Double.isNaN(a) || Double.isNaN(b);
      case "T" -> (a, b) -> true;
      case "F" -> (a, b) -> false;
      default -> throw instruction.unsupported("unknown comparison");
    };
  }

  private static LaneOperation compare(Form form) {
    boolean flush = form.instruction.has("FTZ");
    Order order = order(form.instruction);
    return Lanewise.compare(
        form,
        new Source[] {form.single(0)},
        new Source[] {form.single(1)},
        false,
        (a, b) -> order.holds(number((int) a, flush), number((int) b, flush)));
  }

  private static LaneOperation set(Form form) {
    boolean ones = form.instruction.has("BF");
    boolean flush = form.instruction.has("FTZ");
    String combination = form.instruction.oneOf("AND", "AND", "OR", "XOR");
    Order order = order(form.instruction);
    return Lanewise.choose(
        form.destination,
        form.single(0),
        form.single(1),
        form.input(0),
        (a, b, c, other) -> {
          int holds = order.holds(number(a, flush), number(b, flush)) ? 1 : 0;
          boolean set = Lanewise.combine(combination, holds, other ? 1 : 0) != 0;
          return set ? (ones ? Real.bits(1f) : -1) : 0;
        });
  }

  /** Whether a quotient needs the slow way: operands or result near the ends of the range. */
  private static LaneOperation check(Form form) {
    form.instruction.allow("DIVIDE");
    return Lanewise.compare(
        form,
        new Source[] {form.single(0)},
        new Source[] {form.single(1)},
        false,
        (a, b) -> {
          int numerator = Math.getExponent(Float.intBitsToFloat((int) a));
          int denominator = Math.getExponent(Float.intBitsToFloat((int) b));
          int quotient = numerator - denominator;
          return Math.abs(denominator) >= SAFE_EXPONENT
              || numerator > SAFE_EXPONENT
              || numerator < 24 - SAFE_EXPONENT
              || Math.abs(quotient) >= SAFE_EXPONENT;
        });
  }

  private static LaneOperation special(Form form) {
    SassInstruction instruction = form.instruction;
    String name = instruction.modifiers().isEmpty() ? "" : instruction.modifiers().get(0);
    SpecialFunctions.Function function = SpecialFunctions.of(name);
    if (function == null) {
      throw instruction.unsupported("function ." + name + " is not emulated");
    }
    instruction.allow(name, "F16", "BF16", "BF16_V2");
    if (instruction.modifiers().size() == 1) {
      return Lanewise.of(form.destination, form.single(0), (a, b, c) -> function.apply(a));
    }
    HalfFormat type = instruction.has("F16") ? HalfFormat.HALF : HalfFormat.BFLOAT;
    Source source = Source.halves(instruction, form.source(0));
    return Lanewise.of(
        form.destination,
        source,
        (a, b, c) -> type.truncated(function.apply(Float.floatToRawIntBits(type.value(a)))));
  }

  private static Source[] pair(Form form, int index) {
    return new Source[] {
      Source.low(form.instruction, form.source(index)),
      Source.highDouble(form.instruction, form.source(index))
    };
  }

  /** What a double operand is without its sign, for the sake of what is no number. */
  private static Source[] plainPair(Form form, int index) {
    return new Source[] {
      Source.low(form.instruction, form.source(index)),
      Source.plainHigh(form.instruction, form.source(index))
    };
  }

  private static LaneOperation doubles(Form form, String mnemonic) {
    form.instruction.allow("RN", "RM", "RP", "RZ");
    Rounding rounding = Real.rounding(form.instruction);
    boolean product = !mnemonic.equals("DADD");
    boolean three = mnemonic.equals("DFMA");
    Source[] first = pair(form, 0);
    Source[] second = pair(form, 1);
    Source[] third = three ? pair(form, 2) : second;
    Source[][] plain =
        three
            ? new Source[][] {plainPair(form, 0), plainPair(form, 1), plainPair(form, 2)}
            : new Source[][] {plainPair(form, 0), plainPair(form, 1)};
    return (warp, mask) -> {
      int[] a = first[0].read(warp);
      int[] aHigh = first[1].read(warp);
      int[] b = second[0].read(warp);
      int[] bHigh = second[1].read(warp);
      int[] c = third[0].read(warp);
      int[] cHigh = third[1].read(warp);
      int[] out = warp.registers[form.destination];
      int[] outHigh = warp.registers[form.next(1)];
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        double x = Double.longBitsToDouble(Words64.join(a[lane], aHigh[lane]));
        double y = Double.longBitsToDouble(Words64.join(b[lane], bHigh[lane]));
        double value;
        if (three) {
          double z = Double.longBitsToDouble(Words64.join(c[lane], cHigh[lane]));
          value = Real.fma(x, y, z, rounding);
        } else if (rounding == Rounding.NEAREST) {
          value = product ? x * y : x + y;
        } else if (product) {
          boolean negative = (aHigh[lane] ^ bHigh[lane]) < 0;
          value = Real.fma(x, y, negative ? -0.0 : 0.0, rounding);
        } else {
          value = Real.fma(x, 1.0, y, rounding);
        }
        long bits =
            Double.isNaN(value) ? firstNan(warp, plain, lane) : Double.doubleToRawLongBits(value);
        out[lane] = (int) bits;
        outHigh[lane] = (int) (bits >>> 32);
      }
    };
  }

  /** The operand that is no number, made quiet; of several the second, then the first. */
  private static long firstNan(Warp warp, Source[][] plain, int lane) {
    for (int i = 0; i < plain.length; i++) {
      Source[] operand = plain[i < 2 ? 1 - i : i];
      long bits = Words64.join(operand[0].read(warp)[lane], operand[1].read(warp)[lane]);
      if (Double.isNaN(Double.longBitsToDouble(bits))) {
        return bits | Real.QUIET;
      }
    }
    return Real.DOUBLE_NAN;
  }

  private static LaneOperation compareDoubles(Form form) {
    if (form.instruction.has("MIN") || form.instruction.has("MAX")) {
      return chooseDouble(form);
    }
    Order order = order(form.instruction);
    return Lanewise.compare(
        form,
        pair(form, 0),
        pair(form, 1),
        true,
        (a, b) -> order.holds(Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
  }

  /** DSETP.MIN: whether the first is the result, and whether neither is a number. */
  private static LaneOperation chooseDouble(Form form) {
    form.instruction.allow("MIN", "MAX", "AND");
    boolean least = form.instruction.has("MIN");
    Source[] first = pair(form, 0);
    Source[] second = pair(form, 1);
    Form.Input input = form.input(0);
    return (warp, mask) -> {
      int[] a = first[0].read(warp);
      int[] aHigh = first[1].read(warp);
      int[] b = second[0].read(warp);
      int[] bHigh = second[1].read(warp);
      int chosen = 0;
      int neither = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        double x = Double.longBitsToDouble(Words64.join(a[lane], aHigh[lane]));
        double y = Double.longBitsToDouble(Words64.join(b[lane], bHigh[lane]));
        int order = Double.compare(x, y);
        boolean firstOne = Double.isNaN(y) || (least ? order < 0 : order > 0);
        chosen |= !Double.isNaN(x) && firstOne ? 1 << lane : 0;
        neither |= Double.isNaN(x) && Double.isNaN(y) ? 1 << lane : 0;
      }
      int other = input.read(warp);
      warp.setPredicate(form.output(0), mask, chosen & other);
      warp.setPredicate(form.output(1), mask, neither & other);
    };
  }
}
