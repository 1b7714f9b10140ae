package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** stencil.cl. */
final class StencilSamples {
  private StencilSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("stencil2d", "stencil", StencilSamples::stencil2d),
        new Sample("convolution", "stencil", StencilSamples::convolution),
        new Sample("fir", "stencil", StencilSamples::fir),
        new Sample("blur_lds", "stencil", StencilSamples::blur));
  }

  private static void stencil2d(SampleDevice d) {
    int w = 50;
    int h = 37;
    float[] in = Inputs.floats(30, w * h, 0, 1);
    long out = d.zeros(4 * w * h);
    d.launch2d("stencil2d", 64, 40, 16, 8, d.buffer(in), out, w, h);
    float[] expected = in.clone();
    for (int y = 1; y < h - 1; y++) {
      for (int x = 1; x < w - 1; x++) {
        int i = y * w + x;
        float near = in[i - 1] + in[i + 1] + in[i - w] + in[i + w];
        float far = in[i - w - 1] + in[i - w + 1] + in[i + w - 1] + in[i + w + 1];
        expected[i] = 0.5f * in[i] + 0.1f * near + 0.025f * far;
      }
    }
    assertThat(d.floats(out, w * h)).containsExactly(expected);
  }

  private static void convolution(SampleDevice d) {
    int w = 32;
    int m = 5;
    int padded = w + m - 1;
    float[] in = Inputs.floats(31, padded * padded, -1, 1);
    float[] mask = Inputs.floats(32, m * m, -1, 1);
    long out = d.zeros(4 * w * w);
    d.launch2d("convolution", w, w, 16, 4, d.buffer(in), d.buffer(mask), out, w, m);
    float[] expected = new float[w * w];
    for (int y = 0; y < w; y++) {
      for (int x = 0; x < w; x++) {
        float sum = 0;
        for (int j = 0; j < m; j++) {
          for (int i = 0; i < m; i++) {
            sum = Math.fma(in[(y + j) * padded + x + i], mask[j * m + i], sum);
          }
        }
        expected[y * w + x] = sum;
      }
    }
    assertThat(d.floats(out, w * w)).containsExactly(expected);
  }

  private static void fir(SampleDevice d) {
    int n = 500;
    float[] in = Inputs.floats(33, n, -1, 1);
    float[] taps = Inputs.floats(34, 16, -1, 1);
    long out = d.zeros(4 * n);
    d.launch("fir", 512, 64, d.buffer(in), d.buffer(taps), out, 16, n);
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      for (int t = 0; t < 16; t++) {
        expected[i] += (i - t >= 0 ? in[i - t] : 0) * taps[t];
      }
    }
    assertThat(d.floats(out, n)).containsExactly(expected);
  }

  private static void blur(SampleDevice d) {
    int n = 1024;
    int[] in = Inputs.ints(35, n, -1000, 1000);
    long out = d.zeros(4 * n);
    d.launch("blur_lds", n, 256, d.buffer(in), out, n);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      for (int k = Math.max(0, i - 4); k <= Math.min(n - 1, i + 4); k++) {
        expected[i] += in[k];
      }
      expected[i] /= 9;
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }
}
