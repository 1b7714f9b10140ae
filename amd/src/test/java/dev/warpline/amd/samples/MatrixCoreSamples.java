package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** mfma.hip. Small whole numbers: the order in which a matrix core adds does not matter. */
final class MatrixCoreSamples {
  private static final int N = 64;

  private MatrixCoreSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("mfma_f32", "mfma", MatrixCoreSamples::f32),
        new Sample("mfma_f16", "mfma", MatrixCoreSamples::f16),
        new Sample("mfma_f64", "mfma", MatrixCoreSamples::f64));
  }

  private static float[] product(float[] a, float[] b) {
    float[] c = new float[N * N];
    for (int y = 0; y < N; y++) {
      for (int x = 0; x < N; x++) {
        for (int k = 0; k < N; k++) {
          c[y * N + x] += a[y * N + k] * b[k * N + x];
        }
      }
    }
    return c;
  }

  private static double[] widen(float[] values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }

  private static void f32(SampleDevice d) {
    float[] a = Inputs.wholeFloats(190, N * N, -9, 10);
    float[] b = Inputs.wholeFloats(191, N * N, -9, 10);
    long c = d.zeros(4 * N * N);
    d.launch("mfma_f32", 64 * (N / 16) * (N / 16), 64, d.buffer(a), d.buffer(b), c, N);
    assertThat(d.floats(c, N * N)).containsExactly(product(a, b));
  }

  private static void f16(SampleDevice d) {
    float[] a = Inputs.wholeFloats(192, N * N, -9, 10);
    float[] b = Inputs.wholeFloats(193, N * N, -9, 10);
    long c = d.zeros(4 * N * N);
    d.launch(
        "mfma_f16",
        64 * (N / 32) * (N / 32),
        64,
        d.buffer(HalfSamples.bits(a)),
        d.buffer(HalfSamples.bits(b)),
        c,
        N);
    assertThat(d.floats(c, N * N)).containsExactly(product(a, b));
  }

  private static void f64(SampleDevice d) {
    float[] a = Inputs.wholeFloats(194, N * N, -9, 10);
    float[] b = Inputs.wholeFloats(195, N * N, -9, 10);
    long c = d.zeros(8 * N * N);
    d.launch(
        "mfma_f64", 64 * (N / 16) * (N / 16), 64, d.buffer(widen(a)), d.buffer(widen(b)), c, N);
    assertThat(d.doubles(c, N * N)).containsExactly(widen(product(a, b)));
  }
}
