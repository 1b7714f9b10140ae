package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.ArrayList;
import java.util.List;

/** Arithmetic of two half-precision or bfloat16 numbers at once. */
final class HalfOperations {
  private static final int SIGN = 0x8000;

  private HalfOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    return switch (mnemonic) {
      case "HADD2", "HMUL2", "HFMA2" -> arithmetic(Form.of(instruction), mnemonic);
      case "HMNMX2", "VHMNMX" -> minimum(Form.of(instruction));
      case "HSETP2" -> compare(Form.compare(instruction));
      case "HSET2" -> set(Form.of(instruction));
      default -> null;
    };
  }

  /** Source rows; two numbers in a row are the upper and the lower half of one. */
  private static List<Source> sources(Form form, HalfFormat type) {
    List<Source> rows = new ArrayList<>();
    for (int i = 0; i < form.sources.size(); i++) {
      Operand operand = form.source(i);
      if (!operand.is(Kind.IMMEDIATE)) {
        rows.add(Source.halves(form.instruction, operand));
      } else if (i + 1 < form.sources.size() && form.source(i + 1).is(Kind.IMMEDIATE)) {
        int upper = type.nearest(Real.of(operand));
        rows.add(Source.halves(upper, type.nearest(Real.of(form.source(++i)))));
      } else {
        rows.add(Source.constant(Real.single(operand)));
      }
    }
    return rows;
  }

  /** What happens to operands and results. */
  private record Mode(HalfFormat type, boolean flush, boolean relu, boolean saturate) {
    Mode(SassInstruction instruction) {
      this(
          HalfFormat.of(instruction),
          instruction.has("FTZ"),
          instruction.has("RELU"),
          instruction.has("SAT"));
    }

    float number(int bits) {
      return type.value(flush ? type.flush(bits & 0xffff) : bits);
    }

    /** Rounds an exact result. */
    int result(double value) {
      if (relu && !(value > 0) && !Double.isNaN(value)) {
        return 0;
      }
      double kept = !saturate ? value : value >= 1 ? 1 : value > 0 ? value : 0;
      int rounded = type.nearest(kept);
      return flush && type.tiny(kept) ? rounded & SIGN : rounded;
    }

    int half(Operation operation, int a, int b, int c) {
      return result(operation.apply(number(a), number(b), number(c))) & 0xffff;
    }
  }

  /** What two or three numbers become, exact enough to be rounded once more. */
  private interface Operation {
    double apply(double a, double b, double c);

    static Operation of(String mnemonic) {
      return switch (mnemonic) {
        case "HADD2" -> (a, b, c) -> Real.sumToOdd(a, b);
        case "HMUL2" -> (a, b, c) -> a * b;
        default -> (a, b, c) -> Real.sumToOdd(a * b, c);
      };
    }
  }

  private static LaneOperation arithmetic(Form form, String mnemonic) {
    SassInstruction instruction = form.instruction;
    Operation operation = Operation.of(mnemonic);
    instruction.allow("MMA", "BF16", "BF16_V2", "F32", "RELU", "SAT", "FTZ", "OOB");
    Mode mode = new Mode(instruction);
    List<Source> rows = sources(form, mode.type());
    Source first = rows.get(0);
    Source second = rows.get(1);
    Source third = rows.size() > 2 ? rows.get(2) : Source.constant(0);
    if (instruction.has("F32")) {
      if (!mnemonic.equals("HADD2")) {
        throw instruction.unsupported("modifier .F32 is emulated for HADD2 alone");
      }
      return Lanewise.of(
          form.destination, first, second, (a, b, c) -> Real.bits(mode.number(a) + mode.number(b)));
    }
    return Lanewise.of(
        form.destination,
        first,
        second,
        third,
        (a, b, c) ->
            mode.half(operation, a >>> 16, b >>> 16, c >>> 16) << 16
                | mode.half(operation, a, b, c));
  }

  private static LaneOperation minimum(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("BF16", "BF16_V2", "NAN", "FTZ", "XORSIGN");
    Mode mode = new Mode(instruction);
    boolean keepNan = instruction.has("NAN");
    boolean signs = instruction.has("XORSIGN");
    Source first = signs ? unsigned(form, 0) : sources(form, mode.type()).get(0);
    Source second = signs ? unsigned(form, 1) : sources(form, mode.type()).get(1);
    return Lanewise.choose(
        form.destination,
        first,
        second,
        form.input(0),
        (a, b, c, least) ->
            least(mode, a >>> 16, b >>> 16, signs, keepNan, least) << 16
                | least(mode, a & 0xffff, b & 0xffff, signs, keepNan, least));
  }

  /** An operand as stored: its bars are part of the operation. */
  private static Source unsigned(Form form, int index) {
    Operand operand = form.source(index);
    return Source.halves(
        form.instruction,
        new Operand(
            operand.kind(),
            operand.index(),
            operand.second(),
            operand.value(),
            operand.text(),
            false,
            false,
            false,
            operand.selector()));
  }

  private static int least(Mode mode, int a, int b, boolean signs, boolean keepNan, boolean least) {
    int x = signs ? a & ~SIGN : a;
    int y = signs ? b & ~SIGN : b;
    int value = least(mode.type(), flushed(mode, x), flushed(mode, y), keepNan, least);
    return signs && value != HalfFormat.NAN ? value | (a ^ b) & SIGN : value;
  }

  private static int flushed(Mode mode, int bits) {
    return mode.flush() ? mode.type().flush(bits) : bits;
  }

  /** The least or greatest of two numbers; where one is none, the other. */
  static int least(HalfFormat type, int a, int b, boolean keepNan, boolean least) {
    float x = type.value(a);
    float y = type.value(b);
    if (Float.isNaN(x) || Float.isNaN(y)) {
      return keepNan || Float.isNaN(x) && Float.isNaN(y) ? HalfFormat.NAN : Float.isNaN(x) ? b : a;
    }
    boolean first = least ? Float.compare(x, y) <= 0 : Float.compare(x, y) >= 0;
    return first ? a : b;
  }

  private static LaneOperation set(Form form) {
    SassInstruction instruction = form.instruction;
    Mode mode = new Mode(instruction);
    List<Source> rows = sources(form, mode.type());
    FloatOperations.Order order = FloatOperations.order(instruction);
    String combination = instruction.oneOf("AND", "AND", "OR", "XOR");
    int one = instruction.has("BF") ? mode.type().nearest(1) : 0xffff;
    return Lanewise.choose(
        form.destination,
        rows.get(0),
        rows.get(1),
        form.input(0),
        (a, b, c, other) -> {
          int low = order.holds(mode.number(a), mode.number(b)) ? 1 : 0;
          int high = order.holds(mode.number(a >>> 16), mode.number(b >>> 16)) ? 1 : 0;
          int with = other ? 1 : 0;
          return (Lanewise.combine(combination, high, with) != 0 ? one << 16 : 0)
              | (Lanewise.combine(combination, low, with) != 0 ? one : 0);
        });
  }

  private static LaneOperation compare(Form form) {
    SassInstruction instruction = form.instruction;
    Mode mode = new Mode(instruction);
    List<Source> rows = sources(form, mode.type());
    FloatOperations.Order order = FloatOperations.order(instruction);
    String combination = instruction.oneOf("AND", "AND", "OR", "XOR");
    Form.Input input = form.input(0);
    return (warp, mask) -> {
      int[] a = rows.get(0).read(warp);
      int[] b = rows.get(1).read(warp);
      int low = 0;
      int high = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        boolean below = order.holds(mode.number(a[lane]), mode.number(b[lane]));
        boolean above = order.holds(mode.number(a[lane] >>> 16), mode.number(b[lane] >>> 16));
        low |= below ? 1 << lane : 0;
        high |= above ? 1 << lane : 0;
      }
      int other = input.read(warp);
      boolean both = instruction.has("H2_AND") || instruction.has("H2_OR");
      int first = !both ? low : instruction.has("H2_OR") ? low | high : low & high;
      int second = both ? ~first : high;
      warp.setPredicate(form.output(0), mask, Lanewise.combine(combination, first, other));
      warp.setPredicate(form.output(1), mask, Lanewise.combine(combination, second, other));
    };
  }
}
