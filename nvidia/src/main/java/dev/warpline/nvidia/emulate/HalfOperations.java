package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.ArrayList;
import java.util.List;

/** Arithmetic of two half-precision or bfloat16 numbers at once. */
final class HalfOperations {
  private HalfOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    return switch (mnemonic) {
      case "HADD2", "HMUL2", "HFMA2" -> arithmetic(Form.of(instruction), mnemonic);
      case "HMNMX2" -> minimum(Form.of(instruction));
      case "HSETP2" -> compare(Form.compare(instruction));
      default -> null;
    };
  }

  /** Source rows; two numbers in a row are the upper and the lower half of one. */
  private static List<Source> sources(Form form, boolean bfloat) {
    List<Source> rows = new ArrayList<>();
    for (int i = 0; i < form.sources.size(); i++) {
      Operand operand = form.source(i);
      if (!operand.is(Kind.IMMEDIATE)) {
        rows.add(Source.halves(form.instruction, operand));
      } else if (i + 1 < form.sources.size() && form.source(i + 1).is(Kind.IMMEDIATE)) {
        rows.add(Source.halves(small(operand, bfloat), small(form.source(++i), bfloat)));
      } else {
        rows.add(Source.constant(Real.single(operand)));
      }
    }
    return rows;
  }

  private static int small(Operand operand, boolean bfloat) {
    double value = Real.of(operand);
    return bfloat ? Real.toBfloat(value) : Real.toHalf(value);
  }

  private static float number(int bits, boolean bfloat) {
    return bfloat ? Real.fromBfloat(bits & 0xffff) : Real.fromHalf(bits & 0xffff);
  }

  private static LaneOperation arithmetic(Form form, String mnemonic) {
    SassInstruction instruction = form.instruction;
    instruction.allow("MMA", "BF16", "BF16_V2", "F32", "RELU", "SAT", "FTZ");
    boolean bfloat = instruction.has("BF16") || instruction.has("BF16_V2");
    boolean single = instruction.has("F32");
    boolean relu = instruction.has("RELU");
    boolean saturate = instruction.has("SAT");
    List<Source> rows = sources(form, bfloat);
    Source none = Source.constant(0);
    Source first = rows.get(0);
    Source second = rows.get(1);
    Source third = rows.size() > 2 ? rows.get(2) : none;
    if (single && !mnemonic.equals("HADD2")) {
      throw instruction.unsupported("modifier .F32 is emulated for HADD2 alone");
    }
    if (single) {
      return Lanewise.of(
          form.destination,
          first,
          second,
          (a, b, c) -> Real.bits(number(a, bfloat) + number(b, bfloat)));
    }
    return Lanewise.of(
        form.destination,
        first,
        second,
        third,
        (a, b, c) -> {
          int low = half(mnemonic, a, b, c, bfloat, relu, saturate);
          int high = half(mnemonic, a >>> 16, b >>> 16, c >>> 16, bfloat, relu, saturate);
          return high << 16 | low;
        });
  }

  private static int half(
      String mnemonic, int a, int b, int c, boolean bfloat, boolean relu, boolean saturate) {
    double x = number(a, bfloat);
    double y = number(b, bfloat);
    double value =
        switch (mnemonic) {
          case "HADD2" -> Real.sumToOdd(x, y);
          case "HMUL2" -> x * y;
          default -> Real.sumToOdd(x * y, number(c, bfloat));
        };
    if (relu && value < 0) {
      value = 0;
    }
    if (saturate) {
      value = value >= 1 ? 1 : value > 0 ? value : 0;
    }
    return bfloat ? Real.toBfloat(value) : Real.toHalf(value);
  }

  private static LaneOperation minimum(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("BF16", "BF16_V2", "NAN");
    boolean bfloat = instruction.has("BF16") || instruction.has("BF16_V2");
    boolean keepNan = instruction.has("NAN");
    List<Source> rows = sources(form, bfloat);
    return Lanewise.choose(
        form.destination,
        rows.get(0),
        rows.get(1),
        form.input(0),
        (a, b, c, least) ->
            least(a >>> 16, b >>> 16, bfloat, keepNan, least) << 16
                | least(a & 0xffff, b & 0xffff, bfloat, keepNan, least));
  }

  private static int least(int a, int b, boolean bfloat, boolean keepNan, boolean least) {
    float x = number(a, bfloat);
    float y = number(b, bfloat);
    if (Float.isNaN(x) || Float.isNaN(y)) {
      return keepNan || Float.isNaN(x) && Float.isNaN(y) ? 0x7fff : Float.isNaN(x) ? b : a;
    }
    boolean first = least ? Float.compare(x, y) <= 0 : Float.compare(x, y) >= 0;
    return first ? a : b;
  }

  private static LaneOperation compare(Form form) {
    SassInstruction instruction = form.instruction;
    boolean bfloat = instruction.has("BF16") || instruction.has("BF16_V2");
    List<Source> rows = sources(form, bfloat);
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
        boolean below = order.holds(number(a[lane], bfloat), number(b[lane], bfloat));
        boolean above = order.holds(number(a[lane] >>> 16, bfloat), number(b[lane] >>> 16, bfloat));
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
