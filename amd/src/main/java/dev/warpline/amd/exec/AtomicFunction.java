package dev.warpline.amd.exec;

import java.util.HashMap;
import java.util.Map;

/**
 * The new value of a memory word under an atomic instruction. 32-bit operands arrive zero-extended.
 * Exchange-with-compare takes the new value first; the LDS forms, which have it the other way
 * round, are swapped by the caller.
 */
interface AtomicFunction {
  long apply(long old, long data, long compare);

  /**
   * Atomics by the operation part of their mnemonic: {@code add}, {@code smin_x2}, {@code min_i64},
   * {@code add_f32}, ...
   */
  static Map<String, AtomicFunction> table() {
    Map<String, AtomicFunction> t = new HashMap<>();
    AtomicFunction swap = (old, data, compare) -> data;
    AtomicFunction add = (old, data, compare) -> old + data;
    AtomicFunction sub = (old, data, compare) -> old - data;
    AtomicFunction rsub = (old, data, compare) -> data - old;
    AtomicFunction and = (old, data, compare) -> old & data;
    AtomicFunction or = (old, data, compare) -> old | data;
    AtomicFunction xor = (old, data, compare) -> old ^ data;
    AtomicFunction umin = (old, data, compare) -> Long.compareUnsigned(old, data) <= 0 ? old : data;
    AtomicFunction umax = (old, data, compare) -> Long.compareUnsigned(old, data) >= 0 ? old : data;
    AtomicFunction inc = (old, data, compare) -> Long.compareUnsigned(old, data) >= 0 ? 0 : old + 1;
    AtomicFunction dec =
        (old, data, compare) -> old == 0 || Long.compareUnsigned(old, data) > 0 ? data : old - 1;
    AtomicFunction cmpswap = (old, data, compare) -> old == compare ? data : old;
    AtomicFunction maskedOr =
        (old, data, compare) -> old & ~data | compare; // data0 is the mask, data1 the bits
    // vector and scalar memory; _x2 is 64 bits
    for (String x2 : new String[] {"", "_x2"}) {
      t.put("swap" + x2, swap);
      t.put("cmpswap" + x2, cmpswap);
      t.put("add" + x2, add);
      t.put("sub" + x2, sub);
      t.put("umin" + x2, umin);
      t.put("umax" + x2, umax);
      t.put("and" + x2, and);
      t.put("or" + x2, or);
      t.put("xor" + x2, xor);
      t.put("inc" + x2, inc);
      t.put("dec" + x2, dec);
    }
    AtomicFunction smin32 = (old, data, compare) -> Math.min((int) old, (int) data);
    AtomicFunction smax32 = (old, data, compare) -> Math.max((int) old, (int) data);
    AtomicFunction smin64 = (old, data, compare) -> Math.min(old, data);
    AtomicFunction smax64 = (old, data, compare) -> Math.max(old, data);
    t.put("smin", smin32);
    t.put("smax", smax32);
    t.put("smin_x2", smin64);
    t.put("smax_x2", smax64);
    // LDS names
    for (String bits : new String[] {"32", "64"}) {
      t.put("wrxchg_b" + bits, swap);
      t.put("wrxchg2_b" + bits, swap);
      t.put("wrxchg2st64_b" + bits, swap);
      t.put("cmpst_b" + bits, cmpswap);
      t.put("add_u" + bits, add);
      t.put("sub_u" + bits, sub);
      t.put("rsub_u" + bits, rsub);
      t.put("inc_u" + bits, inc);
      t.put("dec_u" + bits, dec);
      t.put("min_u" + bits, umin);
      t.put("max_u" + bits, umax);
      t.put("and_b" + bits, and);
      t.put("or_b" + bits, or);
      t.put("xor_b" + bits, xor);
      t.put("mskor_b" + bits, maskedOr);
    }
    t.put("min_i32", smin32);
    t.put("max_i32", smax32);
    t.put("min_i64", smin64);
    t.put("max_i64", smax64);
    t.put("wrap_b32", (old, data, compare) -> old >= data ? old - data : old + compare);
    // floating point
    t.put("add_f32", (old, data, compare) -> addSingles(old, data));
    t.put("add_f64", (old, data, compare) -> addDoubles(old, data));
    t.put("min_f32", (old, data, compare) -> FloatMath.min((int) old, (int) data));
    t.put("max_f32", (old, data, compare) -> FloatMath.max((int) old, (int) data));
    t.put("min_f64", (old, data, compare) -> FloatMath.min(old, data));
    t.put("max_f64", (old, data, compare) -> FloatMath.max(old, data));
    t.put("cmpst_f32", (old, data, compare) -> single(old) == single(compare) ? data : old);
    t.put(
        "cmpst_f64",
        (old, data, compare) ->
            Double.longBitsToDouble(old) == Double.longBitsToDouble(compare) ? data : old);
    t.put(
        "pk_add_f16",
        (old, data, compare) ->
            addHalves((int) old, (int) data)
                | addHalves((int) old >>> 16, (int) data >>> 16) << 16);
    t.put(
        "pk_add_bf16",
        (old, data, compare) ->
            addBfloats((int) old, (int) data)
                | addBfloats((int) old >>> 16, (int) data >>> 16) << 16);
    return Map.copyOf(t);
  }

  private static float single(long bits) {
    return Float.intBitsToFloat((int) bits);
  }

  private static long addSingles(long old, long data) {
    float sum = single(old) + single(data);
    return sum == sum ? Float.floatToRawIntBits(sum) : LaneLoop.nan((int) old, (int) data, 0);
  }

  private static long addDoubles(long old, long data) {
    double sum = Double.longBitsToDouble(old) + Double.longBitsToDouble(data);
    return sum == sum ? Double.doubleToRawLongBits(sum) : LaneLoop.nan(old, data, 0L);
  }

  private static int addHalves(int old, int data) {
    double sum = (double) Half.toFloat(old) + Half.toFloat(data);
    return sum == sum ? Half.fromDouble(sum) : LaneLoop.nanHalf(old, data, 0);
  }

  private static int addBfloats(int old, int data) {
    return Half.bfloatFromFloat(Half.bfloatToFloat(old) + Half.bfloatToFloat(data)) & 0xffff;
  }
}
