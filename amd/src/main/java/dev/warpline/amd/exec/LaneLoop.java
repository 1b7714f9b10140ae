package dev.warpline.amd.exec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * Applies the function of one opcode to all lanes of {@link Lanes}. The functions are one-line
 * lambdas on one lane; {@link #of} gives every opcode its own copy of the loop's class, so that the
 * compiler sees one function per loop, inlines it and vectorises the loop. With one shared class
 * the call would be megamorphic: an indirect call per lane.
 */
abstract class LaneLoop {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  static final int F32_NAN = 0x7fc00000;
  static final long F64_NAN = 0x7ff8000000000000L;

  abstract void run(Lanes x);

  /** A copy of the template class of its own around {@code function}. */
  static LaneLoop of(Class<? extends LaneLoop> template, Object function) {
    String file = template.getName().substring(template.getName().lastIndexOf('.') + 1) + ".class";
    try (InputStream in = template.getResourceAsStream(file)) {
      Class<?> copy = LOOKUP.defineHiddenClass(in.readAllBytes(), true).lookupClass();
      return (LaneLoop) copy.getDeclaredConstructors()[0].newInstance(function);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot instantiate " + template, e);
    }
  }

  interface Int3 {
    int apply(int a, int b, int c);
  }

  interface Long3 {
    long apply(long a, long b, long c);
  }

  interface Float1 {
    float apply(float a);
  }

  interface Float2 {
    float apply(float a, float b);
  }

  interface Float3 {
    float apply(float a, float b, float c);
  }

  interface Double3 {
    double apply(double a, double b, double c);
  }

  interface IntTest {
    boolean test(int a, int b);
  }

  interface LongTest {
    boolean test(long a, long b);
  }

  interface FloatTest {
    boolean test(float a, float b);
  }

  interface DoubleTest {
    boolean test(double a, double b);
  }

  interface LongIntTest {
    boolean test(long a, int b);
  }

  interface IntToLong {
    long apply(int a);
  }

  interface LongToInt {
    int apply(long a);
  }

  /** 32-bit add or subtract with carry: bit 32 of the result is the carry or borrow. */
  interface Carry {
    long apply(long a, long b, long carry);
  }

  interface LongIntToLong {
    long apply(long a, int b);
  }

  interface IntLongToLong {
    long apply(int a, long b);
  }

  interface LongIntLongToLong {
    long apply(long a, int b, long c);
  }

  interface LaneTable {
    void apply(Lanes lanes);
  }

  /** For instructions whose lanes are not independent, or with operands of several kinds. */
  static final class Whole extends LaneLoop {
    private final LaneTable f;

    Whole(LaneTable f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      f.apply(x);
    }
  }

  static final class I1 extends LaneLoop {
    private final IntUnaryOperator f;

    I1(IntUnaryOperator f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] r = x.r;
      for (int i = 0; i < 64; i++) {
        r[i] = f.applyAsInt(a[i]);
      }
    }
  }

  static final class I2 extends LaneLoop {
    private final IntBinaryOperator f;

    I2(IntBinaryOperator f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] b = x.b;
      int[] r = x.r;
      for (int i = 0; i < 64; i++) {
        r[i] = f.applyAsInt(a[i], b[i]);
      }
    }
  }

  static final class I3 extends LaneLoop {
    private final Int3 f;

    I3(Int3 f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] b = x.b;
      int[] c = x.c;
      int[] r = x.r;
      for (int i = 0; i < 64; i++) {
        r[i] = f.apply(a[i], b[i], c[i]);
      }
    }
  }

  static final class L1 extends LaneLoop {
    private final LongUnaryOperator f;

    L1(LongUnaryOperator f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      long[] r = x.lr;
      for (int i = 0; i < 64; i++) {
        r[i] = f.applyAsLong(a[i]);
      }
    }
  }

  static final class L2 extends LaneLoop {
    private final LongBinaryOperator f;

    L2(LongBinaryOperator f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      long[] b = x.lb;
      long[] r = x.lr;
      for (int i = 0; i < 64; i++) {
        r[i] = f.applyAsLong(a[i], b[i]);
      }
    }
  }

  static final class L3 extends LaneLoop {
    private final Long3 f;

    L3(Long3 f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      long[] b = x.lb;
      long[] c = x.lc;
      long[] r = x.lr;
      for (int i = 0; i < 64; i++) {
        r[i] = f.apply(a[i], b[i], c[i]);
      }
    }
  }

  static final class F1 extends LaneLoop {
    private final Float1 f;

    F1(Float1 f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] r = x.r;
      for (int i = 0; i < 64; i++) {
        float v = f.apply(Float.intBitsToFloat(a[i]));
        r[i] = v == v ? Float.floatToRawIntBits(v) : nan(a[i], 0, 0);
      }
    }
  }

  static final class F2 extends LaneLoop {
    private final Float2 f;

    F2(Float2 f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] b = x.b;
      int[] r = x.r;
      for (int i = 0; i < 64; i++) {
        float v = f.apply(Float.intBitsToFloat(a[i]), Float.intBitsToFloat(b[i]));
        r[i] = v == v ? Float.floatToRawIntBits(v) : nan(a[i], b[i], 0);
      }
    }
  }

  static final class F3 extends LaneLoop {
    private final Float3 f;

    F3(Float3 f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] b = x.b;
      int[] c = x.c;
      int[] r = x.r;
      for (int i = 0; i < 64; i++) {
        float v =
            f.apply(
                Float.intBitsToFloat(a[i]), Float.intBitsToFloat(b[i]), Float.intBitsToFloat(c[i]));
        r[i] = v == v ? Float.floatToRawIntBits(v) : nan(a[i], b[i], c[i]);
      }
    }
  }

  static final class D1 extends LaneLoop {
    private final DoubleUnaryOperator f;

    D1(DoubleUnaryOperator f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      long[] r = x.lr;
      for (int i = 0; i < 64; i++) {
        double v = f.applyAsDouble(Double.longBitsToDouble(a[i]));
        r[i] = v == v ? Double.doubleToRawLongBits(v) : nan(a[i], 0, 0);
      }
    }
  }

  static final class D2 extends LaneLoop {
    private final DoubleBinaryOperator f;

    D2(DoubleBinaryOperator f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      long[] b = x.lb;
      long[] r = x.lr;
      for (int i = 0; i < 64; i++) {
        double v = f.applyAsDouble(Double.longBitsToDouble(a[i]), Double.longBitsToDouble(b[i]));
        r[i] = v == v ? Double.doubleToRawLongBits(v) : nan(a[i], b[i], 0);
      }
    }
  }

  static final class D3 extends LaneLoop {
    private final Double3 f;

    D3(Double3 f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      long[] b = x.lb;
      long[] c = x.lc;
      long[] r = x.lr;
      for (int i = 0; i < 64; i++) {
        double v =
            f.apply(
                Double.longBitsToDouble(a[i]),
                Double.longBitsToDouble(b[i]),
                Double.longBitsToDouble(c[i]));
        r[i] = v == v ? Double.doubleToRawLongBits(v) : nan(a[i], b[i], c[i]);
      }
    }
  }

  /** f16 arithmetic: exact or near-exact in double, rounded once. */
  static final class H1 extends LaneLoop {
    private final DoubleUnaryOperator f;

    H1(DoubleUnaryOperator f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] r = x.r;
      for (int i = 0; i < 64; i++) {
        double v = f.applyAsDouble(Half.toFloat(a[i]));
        r[i] = v == v ? Half.fromDouble(v) : nanHalf(a[i], 0, 0);
      }
    }
  }

  static final class H2 extends LaneLoop {
    private final DoubleBinaryOperator f;

    H2(DoubleBinaryOperator f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] b = x.b;
      int[] r = x.r;
      for (int i = 0; i < 64; i++) {
        double v = f.applyAsDouble(Half.toFloat(a[i]), Half.toFloat(b[i]));
        r[i] = v == v ? Half.fromDouble(v) : nanHalf(a[i], b[i], 0);
      }
    }
  }

  static final class H3 extends LaneLoop {
    private final Double3 f;

    H3(Double3 f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] b = x.b;
      int[] c = x.c;
      int[] r = x.r;
      for (int i = 0; i < 64; i++) {
        double v = f.apply(Half.toFloat(a[i]), Half.toFloat(b[i]), Half.toFloat(c[i]));
        r[i] = v == v ? Half.fromDouble(v) : nanHalf(a[i], b[i], c[i]);
      }
    }
  }

  static final class TestInt extends LaneLoop {
    private final IntTest f;

    TestInt(IntTest f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] b = x.b;
      long mask = 0;
      for (int i = 0; i < 64; i++) {
        mask |= (f.test(a[i], b[i]) ? 1L : 0L) << i;
      }
      x.maskOut = mask;
    }
  }

  static final class TestLong extends LaneLoop {
    private final LongTest f;

    TestLong(LongTest f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      long[] b = x.lb;
      long mask = 0;
      for (int i = 0; i < 64; i++) {
        mask |= (f.test(a[i], b[i]) ? 1L : 0L) << i;
      }
      x.maskOut = mask;
    }
  }

  static final class TestFloat extends LaneLoop {
    private final FloatTest f;

    TestFloat(FloatTest f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] b = x.b;
      long mask = 0;
      for (int i = 0; i < 64; i++) {
        mask |= (f.test(Float.intBitsToFloat(a[i]), Float.intBitsToFloat(b[i])) ? 1L : 0L) << i;
      }
      x.maskOut = mask;
    }
  }

  static final class TestHalf extends LaneLoop {
    private final FloatTest f;

    TestHalf(FloatTest f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] b = x.b;
      long mask = 0;
      for (int i = 0; i < 64; i++) {
        mask |= (f.test(Half.toFloat(a[i]), Half.toFloat(b[i])) ? 1L : 0L) << i;
      }
      x.maskOut = mask;
    }
  }

  static final class TestDouble extends LaneLoop {
    private final DoubleTest f;

    TestDouble(DoubleTest f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      long[] b = x.lb;
      long mask = 0;
      for (int i = 0; i < 64; i++) {
        mask |=
            (f.test(Double.longBitsToDouble(a[i]), Double.longBitsToDouble(b[i])) ? 1L : 0L) << i;
      }
      x.maskOut = mask;
    }
  }

  static final class TestLongInt extends LaneLoop {
    private final LongIntTest f;

    TestLongInt(LongIntTest f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      int[] b = x.b;
      long mask = 0;
      for (int i = 0; i < 64; i++) {
        mask |= (f.test(a[i], b[i]) ? 1L : 0L) << i;
      }
      x.maskOut = mask;
    }
  }

  static final class AddCarry extends LaneLoop {
    private final Carry f;

    AddCarry(Carry f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      int[] b = x.b;
      int[] r = x.r;
      long in = x.maskIn;
      long mask = 0;
      for (int i = 0; i < 64; i++) {
        long sum = f.apply(a[i] & 0xffffffffL, b[i] & 0xffffffffL, in >>> i & 1);
        r[i] = (int) sum;
        mask |= (sum >>> 32 & 1) << i;
      }
      x.maskOut = mask;
    }
  }

  static final class Widen extends LaneLoop {
    private final IntToLong f;

    Widen(IntToLong f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      long[] r = x.lr;
      for (int i = 0; i < 64; i++) {
        r[i] = f.apply(a[i]);
      }
    }
  }

  static final class Narrow extends LaneLoop {
    private final LongToInt f;

    Narrow(LongToInt f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      int[] r = x.r;
      for (int i = 0; i < 64; i++) {
        r[i] = f.apply(a[i]);
      }
    }
  }

  static final class LongInt extends LaneLoop {
    private final LongIntToLong f;

    LongInt(LongIntToLong f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      int[] b = x.b;
      long[] r = x.lr;
      for (int i = 0; i < 64; i++) {
        r[i] = f.apply(a[i], b[i]);
      }
    }
  }

  static final class IntLong extends LaneLoop {
    private final IntLongToLong f;

    IntLong(IntLongToLong f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      int[] a = x.a;
      long[] b = x.lb;
      long[] r = x.lr;
      for (int i = 0; i < 64; i++) {
        r[i] = f.apply(a[i], b[i]);
      }
    }
  }

  static final class LongIntLong extends LaneLoop {
    private final LongIntLongToLong f;

    LongIntLong(LongIntLongToLong f) {
      this.f = f;
    }

    @Override
    void run(Lanes x) {
      long[] a = x.la;
      int[] b = x.b;
      long[] c = x.lc;
      long[] r = x.lr;
      for (int i = 0; i < 64; i++) {
        r[i] = f.apply(a[i], b[i], c[i]);
      }
    }
  }

  private static boolean isNan(int bits) {
    return (bits & 0x7fffffff) > 0x7f800000;
  }

  private static boolean isNan(long bits) {
    return (bits & Long.MAX_VALUE) > 0x7ff0000000000000L;
  }

  private static boolean isNanHalf(int bits) {
    return (bits & 0x7fff) > 0x7c00;
  }

  /** A NaN result is the first NaN operand, quieted; without one it is the default NaN. */
  static int nan(int a, int b, int c) {
    return isNan(a) ? a | 0x400000 : isNan(b) ? b | 0x400000 : isNan(c) ? c | 0x400000 : F32_NAN;
  }

  static long nan(long a, long b, long c) {
    long quiet = 1L << 51;
    return isNan(a) ? a | quiet : isNan(b) ? b | quiet : isNan(c) ? c | quiet : F64_NAN;
  }

  static int nanHalf(int a, int b, int c) {
    int nan =
        isNanHalf(a) ? a | 0x200 : isNanHalf(b) ? b | 0x200 : isNanHalf(c) ? c | 0x200 : Half.NAN;
    return nan & 0xffff;
  }
}
