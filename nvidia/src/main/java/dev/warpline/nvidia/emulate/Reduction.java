package dev.warpline.nvidia.emulate;

import dev.warpline.nvidia.emulate.EncodedTensorMap.Element;

/**
 * What a reducing copy does to an element of memory.
 *
 * @param function ADD, MIN, MAX, INC, DEC, AND, OR or XOR
 */
record Reduction(String function, Element type) {
  /** Combines elements with those of memory. */
  void apply(byte[] memory, int at, byte[] given, int from, int bytes) {
    for (int i = 0; i + type.bytes <= bytes; i += type.bytes) {
      long result = combine(load(memory, at + i), load(given, from + i));
      for (int b = 0; b < type.bytes; b++) {
        memory[at + i + b] = (byte) (result >>> 8 * b);
      }
    }
  }

  private long load(byte[] bytes, int at) {
    long value = 0;
    for (int b = 0; b < type.bytes; b++) {
      value |= (bytes[at + b] & 0xffL) << 8 * b;
    }
    boolean signed = type == Element.S32;
    return signed ? (int) value : value;
  }

  private long combine(long old, long given) {
    return switch (function) {
      case "AND" -> old & given;
      case "OR" -> old | given;
      case "XOR" -> old ^ given;
      case "INC" -> Long.compareUnsigned(old, given) >= 0 ? 0 : old + 1;
      case "DEC" -> old == 0 || Long.compareUnsigned(old, given) > 0 ? given : old - 1;
      case "MIN", "MAX" -> extreme(old, given);
      default -> sum(old, given);
    };
  }

  /** What is no number loses against one that is. */
  private long extreme(long old, long given) {
    if (type == Element.F16 || type == Element.BF16) {
      int infinity = type == Element.F16 ? 0x7c00 : 0x7f80;
      boolean first = (old & 0x7fff) > infinity;
      boolean second = (given & 0x7fff) > infinity;
      if (first || second) {
        return first && second ? 0x7fff : first ? given : old;
      }
    }
    boolean replaces = function.equals("MIN") ? less(given, old) : less(old, given);
    return replaces ? given : old;
  }

  private static boolean less(float a, float b) {
    return Float.compare(a, b) < 0;
  }

  private boolean less(long a, long b) {
    return switch (type) {
      case S32, S64 -> a < b;
      case F16 -> less(Real.fromHalf((int) a), Real.fromHalf((int) b));
      case BF16 -> less(Real.fromBfloat((int) a), Real.fromBfloat((int) b));
      default -> Long.compareUnsigned(a, b) < 0;
    };
  }

  private long sum(long old, long given) {
    return switch (type) {
      case F16 -> Real.toHalf(Real.sumToOdd(Real.fromHalf((int) old), Real.fromHalf((int) given)));
      case BF16 ->
          Real.toBfloat(Real.sumToOdd(Real.fromBfloat((int) old), Real.fromBfloat((int) given)));
      case F32, F32_FTZ ->
          Real.bits(
              Real.flush(Float.intBitsToFloat((int) old) + Float.intBitsToFloat((int) given)));
      case F64 ->
          Double.doubleToRawLongBits(Double.longBitsToDouble(old) + Double.longBitsToDouble(given));
      default -> old + given;
    };
  }
}
