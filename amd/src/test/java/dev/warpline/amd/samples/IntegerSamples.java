package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** integer.cl and conversions.cl. */
final class IntegerSamples {
  private IntegerSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("divide", "integer", IntegerSamples::divide),
        new Sample("divide64", "integer", IntegerSamples::divide64),
        new Sample("bits", "integer", IntegerSamples::bits),
        new Sample("narrow", "integer", IntegerSamples::narrow),
        new Sample("wide_product", "integer", IntegerSamples::wideProduct),
        new Sample("convert", "conversions", IntegerSamples::convert),
        new Sample("quotients", "conversions", IntegerSamples::quotients));
  }

  private static void divide(SampleDevice d) {
    int n = 128;
    int[] a = Inputs.anyInts(140, n);
    int[] b = Inputs.anyInts(141, n);
    for (int i = 0; i < n; i++) {
      b[i] = (b[i] >> i % 28) | 1; // divisors of all sizes, never zero
    }
    long out = d.zeros(16 * n);
    d.launch("divide", n, 64, d.buffer(a), d.buffer(b), out);
    int[] expected = new int[4 * n];
    for (int i = 0; i < n; i++) {
      expected[4 * i] = a[i] / b[i];
      expected[4 * i + 1] = a[i] % b[i];
      expected[4 * i + 2] = Integer.divideUnsigned(a[i], b[i]);
      expected[4 * i + 3] = Integer.remainderUnsigned(a[i], b[i]);
    }
    assertThat(d.ints(out, 4 * n)).containsExactly(expected);
  }

  private static void divide64(SampleDevice d) {
    int n = 128;
    long[] a = Inputs.anyLongs(142, n);
    long[] b = Inputs.anyLongs(143, n);
    for (int i = 0; i < n; i++) {
      a[i] >>= i % 7 * 8;
      b[i] = (b[i] >> i % 60) | 1;
    }
    long out = d.zeros(24 * n);
    d.launch("divide64", n, 64, d.buffer(a), d.buffer(b), out);
    long[] expected = new long[3 * n];
    for (int i = 0; i < n; i++) {
      expected[3 * i] = a[i] / b[i];
      expected[3 * i + 1] = Long.remainderUnsigned(a[i], b[i]);
      expected[3 * i + 2] = a[i] * b[i] + (a[i] >> b[i]);
    }
    assertThat(d.longs(out, 3 * n)).containsExactly(expected);
  }

  private static void bits(SampleDevice d) {
    int n = 192;
    int[] in = Inputs.anyInts(144, n);
    in[0] = 0;
    in[1] = -1;
    in[2] = 1;
    in[3] = Integer.MIN_VALUE;
    long out = d.zeros(32 * n);
    d.launch("bits", n, 64, d.buffer(in), out);
    int[] expected = new int[8 * n];
    for (int i = 0; i < n; i++) {
      int x = in[i];
      expected[8 * i] = Integer.bitCount(x);
      expected[8 * i + 1] = Integer.numberOfLeadingZeros(x);
      expected[8 * i + 2] = Integer.numberOfTrailingZeros(x);
      expected[8 * i + 3] = Integer.reverse(x);
      expected[8 * i + 4] = Integer.reverseBytes(x);
      expected[8 * i + 5] = Integer.rotateLeft(x, x & 31);
      expected[8 * i + 6] = x >>> 5 & 0x3ff;
      expected[8 * i + 7] = x << 7 >> 20;
    }
    assertThat(d.ints(out, 8 * n)).containsExactly(expected);
  }

  private static void narrow(SampleDevice d) {
    int n = 192;
    short[] a = new short[n];
    byte[] b = Inputs.anyBytes(145, n);
    int[] any = Inputs.anyInts(146, n);
    for (int i = 0; i < n; i++) {
      a[i] = (short) any[i];
    }
    long out = d.zeros(12 * n);
    d.launch("narrow", n, 64, d.buffer(a), d.buffer(b), out);
    short[] expected = new short[6 * n];
    for (int i = 0; i < n; i++) {
      short x = a[i];
      byte y = b[i];
      expected[6 * i] = (short) (x + y);
      expected[6 * i + 1] = (short) (x * y);
      expected[6 * i + 2] = (short) (x << (y & 7));
      expected[6 * i + 3] = (short) ((x & 0xffff) >> (y & 15));
      expected[6 * i + 4] = x < y ? x : y;
      expected[6 * i + 5] = (short) (x / 3 - y % 5);
    }
    assertThat(d.shorts(out, 6 * n)).containsExactly(expected);
  }

  private static void wideProduct(SampleDevice d) {
    int n = 128;
    long[] a = Inputs.anyLongs(147, n);
    long[] b = Inputs.anyLongs(148, n);
    long out = d.zeros(16 * n);
    d.launch("wide_product", n, 64, d.buffer(a), d.buffer(b), out);
    long[] expected = new long[2 * n];
    for (int i = 0; i < n; i++) {
      expected[2 * i] = a[i] * b[i];
      long high = Math.multiplyHigh(a[i], b[i]);
      expected[2 * i + 1] = high + (a[i] >> 63 & b[i]) + (b[i] >> 63 & a[i]);
    }
    assertThat(d.longs(out, 2 * n)).containsExactly(expected);
  }

  private static void convert(SampleDevice d) {
    int n = 128;
    float[] in = Inputs.floats(149, n, -1000, 1000);
    float[] special = {0f, -0f, 0.5f, 1.5f, 2.5f, -0.5f, -2.5f, 1e-40f, 8388609f, 1e9f, -1e9f};
    System.arraycopy(special, 0, in, 0, special.length);
    long out = d.zeros(32 * n);
    d.launch("convert", n, 64, d.buffer(in), out);
    int[] expected = new int[8 * n];
    for (int i = 0; i < n; i++) {
      float x = in[i];
      expected[8 * i] = (int) x;
      expected[8 * i + 1] = (int) Math.floor(x);
      expected[8 * i + 2] = (int) Math.ceil(x);
      expected[8 * i + 3] = (int) Math.rint(x);
      expected[8 * i + 4] = Float.floatToRawIntBits((float) (int) x);
      long unsigned = i * 2654435761L & 0xffffffffL;
      expected[8 * i + 5] = Float.floatToRawIntBits((float) unsigned);
      expected[8 * i + 6] = Float.floatToRawIntBits((float) (x * 1.25));
      expected[8 * i + 7] = (x < 0 ? 4 : 0) | 8;
    }
    assertThat(d.ints(out, 8 * n)).containsExactly(expected);
  }

  private static void quotients(SampleDevice d) {
    int n = 256;
    float[] a = Inputs.floats(150, n, -100, 100);
    float[] b = Inputs.floats(151, n, -100, 100);
    for (int i = 0; i < n; i++) {
      a[i] = Math.scalb(a[i], i % 64 * 4 - 128); // down to denormal and up to overflow
    }
    a[0] = 0;
    b[1] = 0;
    a[2] = Float.POSITIVE_INFINITY;
    long out = d.zeros(12 * n);
    d.launch("quotients", n, 64, d.buffer(a), d.buffer(b), out);
    float[] expected = new float[3 * n];
    for (int i = 0; i < n; i++) {
      expected[3 * i] = a[i] / b[i];
      expected[3 * i + 1] = (float) Math.sqrt(Math.abs(a[i]));
      expected[3 * i + 2] = Math.max(a[i], b[i]) - Math.min(a[i], b[i]);
    }
    assertThat(d.floats(out, 3 * n)).containsExactly(expected);
  }
}
