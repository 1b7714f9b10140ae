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
              return result(Real.round(exact, rounding), flush, saturate);
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
        (a, b, c) ->
            result(
                Real.fma(number(a, flush), number(b, flush), number(c, flush), rounding),
                flush,
                saturate));
  }

  private static LaneOperation minimum(Form form) {
    form.instruction.allow("FTZ", "NAN");
    boolean flush = form.instruction.has("FTZ");
    boolean keepNan = form.instruction.has("NAN");
    return Lanewise.choose(
        form.destination,
        form.single(0),
        form.single(1),
        form.input(0),
        (a, b, c, least) -> {
          float x = number(a, flush);
          float y = number(b, flush);
          if (Float.isNaN(x) || Float.isNaN(y)) {
            return keepNan || Float.isNaN(x) && Float.isNaN(y)
                ? Real.NAN
                : Real.bits(Float.isNaN(x) ? y : x);
          }
          return Real.bits(least ? Math.min(x, y) : Math.max(x, y));
        });
  }

  /** A comparison; a U after its name holds for numbers that cannot be ordered, too. */
  interface Order {
    boolean holds(double a, double b);
  }

  static Order order(SassInstruction instruction) {
    return switch (instruction.modifiers().get(0)) {
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
    // FSET.BF.LT: the comparison follows the type.
    SassInstruction rest =
        new SassInstruction(
            form.instruction.pc(),
            form.instruction.text(),
            0,
            false,
            form.instruction.opcode(),
            form.instruction.mnemonic(),
            form.instruction.modifiers().stream().filter(m -> !m.equals("BF")).toList(),
            form.instruction.operands());
    Order order = order(rest);
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
    Half type = instruction.has("F16") ? Half.HALF : Half.BFLOAT;
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

  private static LaneOperation doubles(Form form, String mnemonic) {
    form.instruction.allow("RN", "RM", "RP", "RZ");
    Rounding rounding = Real.rounding(form.instruction);
    Source[] first = pair(form, 0);
    Source[] second = pair(form, 1);
    Source[] third = mnemonic.equals("DFMA") ? pair(form, 2) : second;
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
        double z = Double.longBitsToDouble(Words64.join(c[lane], cHigh[lane]));
        double value =
            switch (mnemonic) {
              case "DADD" -> rounding == Rounding.NEAREST ? x + y : Real.fma(x, 1.0, y, rounding);
              case "DMUL" -> rounding == Rounding.NEAREST ? x * y : Real.fma(x, y, 0.0, rounding);
              default -> Real.fma(x, y, z, rounding);
            };
        long bits = Double.isNaN(value) ? 0xfff8000000000000L : Double.doubleToRawLongBits(value);
        out[lane] = (int) bits;
        outHigh[lane] = (int) (bits >>> 32);
      }
    };
  }

  private static LaneOperation compareDoubles(Form form) {
    Order order = order(form.instruction);
    return Lanewise.compare(
        form,
        pair(form, 0),
        pair(form, 1),
        true,
        (a, b) -> order.holds(Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
  }
}
