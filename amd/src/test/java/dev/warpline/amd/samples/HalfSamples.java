package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** half.hip. */
final class HalfSamples {
  private HalfSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("half_axpy", "half", HalfSamples::axpy),
        new Sample("half_packed", "half", HalfSamples::packed),
        new Sample("half_dot", "half", HalfSamples::dot),
        new Sample("bfloat", "half", HalfSamples::bfloat));
  }

  /** The nearest half-precision number, ties to even, as a float. */
  static float round(float x) {
    if (x == 0 || Float.isNaN(x) || Float.isInfinite(x)) {
      return x;
    }
    // Below 2^-14 halves are spaced like subnormals, 2^-24 apart.
    int exponent = Math.max(Math.getExponent(x), -14);
    float unit = Math.scalb(1.0f, exponent - 10);
    float rounded = (float) Math.rint(x / (double) unit) * unit;
    return Math.abs(rounded) > 65504 ? Math.copySign(Float.POSITIVE_INFINITY, x) : rounded;
  }

  /** The bits of a number that is exact in half precision. */
  static short bits(float x) {
    int sign = Float.floatToRawIntBits(x) >>> 16 & 0x8000;
    float magnitude = Math.abs(x);
    if (magnitude < 0x1p-14f) {
      return (short) (sign | (int) (magnitude * 0x1p24f));
    }
    int exponent = Math.getExponent(magnitude);
    int fraction = Float.floatToRawIntBits(magnitude) >> 13 & 0x3ff;
    return (short) (sign | exponent + 15 << 10 | fraction);
  }

  private static float[] halves(int seed, int count, float low, float high) {
    float[] values = Inputs.floats(seed, count, low, high);
    for (int i = 0; i < count; i++) {
      values[i] = round(values[i]);
    }
    return values;
  }

  static short[] bits(float[] values) {
    short[] bits = new short[values.length];
    for (int i = 0; i < values.length; i++) {
      bits[i] = bits(values[i]);
    }
    return bits;
  }

  private static void axpy(SampleDevice d) {
    int n = 150;
    float a = 1.3f;
    float[] x = halves(180, n, -4, 4);
    float[] y = halves(181, n, -4, 4);
    long buffer = d.buffer(bits(y));
    d.launch("half_axpy", 192, 64, d.buffer(bits(x)), buffer, a, n);
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      expected[i] = round(round(round(a) * x[i]) + y[i]);
    }
    assertThat(d.shorts(buffer, n)).containsExactly(bits(expected));
  }

  private static void packed(SampleDevice d) {
    int n = 256; // halves; half as many pairs
    float[] a = halves(182, n, -4, 4);
    float[] b = halves(183, n, -4, 4);
    long out = d.zeros(2 * n);
    d.launch("half_packed", n / 2, 64, d.buffer(bits(a)), d.buffer(bits(b)), out);
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      float most = Math.max(round(a[i] * b[i]), round(a[i] - b[i]));
      expected[i] = round(most + (i % 2 == 0 ? 1.0f : -0.5f));
    }
    assertThat(d.shorts(out, n)).containsExactly(bits(expected));
  }

  private static void dot(SampleDevice d) {
    int n = 64;
    int length = 12;
    float[] a = halves(184, n * length, -4, 4);
    float[] b = halves(185, n * length, -4, 4);
    long out = d.zeros(4 * n);
    d.launch("half_dot", n, 64, d.buffer(bits(a)), d.buffer(bits(b)), out, length);
    float[] expected = new float[n];
    for (int i = 0; i < n * length; i++) {
      expected[i / length] = Math.fma(a[i], b[i], expected[i / length]);
    }
    assertThat(d.floats(out, n)).containsExactly(expected);
  }

  private static void bfloat(SampleDevice d) {
    int n = 128;
    float[] in = Inputs.floats(186, n, -1000, 1000);
    long out = d.zeros(2 * n);
    long back = d.zeros(4 * n);
    d.launch("bfloat", n, 64, d.buffer(in), out, back);
    short[] expected = new short[n];
    float[] doubled = new float[n];
    for (int i = 0; i < n; i++) {
      int bits = Float.floatToRawIntBits(in[i]);
      expected[i] = (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
      doubled[i] = 2 * Float.intBitsToFloat((expected[i] & 0xffff) << 16);
    }
    assertThat(d.shorts(out, n)).containsExactly(expected);
    assertThat(d.floats(back, n)).containsExactly(doubled);
  }
}
