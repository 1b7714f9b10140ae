package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The sequence compilers emit for IEEE division rounds correctly for all operands. */
class DivisionTest {
  private static final float[] EDGES = {
    0f,
    -0f,
    1f,
    -1f,
    3f,
    1e-40f,
    -1e-45f,
    1e38f,
    -3e38f,
    1e-38f,
    7e-20f,
    Float.POSITIVE_INFINITY,
    Float.NaN,
    1.7e19f,
    0.1f,
    5e-39f,
    Float.MAX_VALUE,
    Float.MIN_NORMAL
  };

  private static float divide(float n, float d) {
    float ds = FloatMath.divScale(d, d, n);
    float ns = FloatMath.divScale(n, d, n);
    boolean scaled = FloatMath.divScaleCondition(d, n);
    float r = 1 / ds;
    r = Math.fma(Math.fma(-ds, r, 1f), r, r);
    float q = ns * r;
    q = Math.fma(Math.fma(-ds, q, ns), r, q);
    float rest = Math.fma(-ds, q, ns);
    int fixed =
        FloatMath.divFixup(
            Float.floatToRawIntBits(FloatMath.divFmas(rest, r, q, scaled)),
            Float.floatToRawIntBits(d),
            Float.floatToRawIntBits(n));
    return Float.intBitsToFloat(fixed);
  }

  private static double divide(double n, double d) {
    double ds = FloatMath.divScale(d, d, n);
    double ns = FloatMath.divScale(n, d, n);
    boolean scaled = FloatMath.divScaleCondition(d, n);
    double r = 1 / ds;
    r = Math.fma(Math.fma(-ds, r, 1.0), r, r);
    r = Math.fma(Math.fma(-ds, r, 1.0), r, r);
    double q = ns * r;
    double rest = Math.fma(-ds, q, ns);
    long fixed =
        FloatMath.divFixup(
            Double.doubleToRawLongBits(FloatMath.divFmas(rest, r, q, scaled)),
            Double.doubleToRawLongBits(d),
            Double.doubleToRawLongBits(n));
    return Double.longBitsToDouble(fixed);
  }

  @Test
  void edgesDivideExactly() {
    for (float n : EDGES) {
      for (float d : EDGES) {
        assertThat(divide(n, d)).as("%s / %s", n, d).isEqualTo(Float.valueOf(n / d));
        double wideN = Math.scalb((double) n, 700);
        double wideD = Math.scalb((double) d, -700);
        assertThat(divide(wideN, wideD))
            .as("%s / %s", wideN, wideD)
            .isEqualTo(Double.valueOf(wideN / wideD));
        assertThat(divide(wideD, wideN))
            .as("%s / %s", wideD, wideN)
            .isEqualTo(Double.valueOf(wideD / wideN));
      }
    }
  }

  @Property(tries = 20000, seed = "1")
  void floatsDivideExactly(@ForAll int n, @ForAll int d) {
    float a = Float.intBitsToFloat(n);
    float b = Float.intBitsToFloat(d);
    assertThat(divide(a, b)).isEqualTo(Float.valueOf(a / b));
  }

  @Property(tries = 20000, seed = "1")
  void doublesDivideExactly(@ForAll long n, @ForAll long d) {
    double a = Double.longBitsToDouble(n);
    double b = Double.longBitsToDouble(d);
    assertThat(divide(a, b)).isEqualTo(Double.valueOf(a / b));
  }
}
