package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** stream.cl and matrix.cl. */
final class DenseSamples {
  private DenseSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("vector_add", "stream", DenseSamples::vectorAdd),
        new Sample("relu", "stream", DenseSamples::relu),
        new Sample("saxpy", "stream", DenseSamples::saxpy),
        new Sample("copy4", "stream", DenseSamples::copy4),
        new Sample("strided_sum", "stream", DenseSamples::stridedSum),
        new Sample("matmul_naive", "matrix", d -> matmul(d, "matmul_naive")),
        new Sample("matmul_tiled", "matrix", d -> matmul(d, "matmul_tiled")),
        new Sample("transpose", "matrix", DenseSamples::transpose),
        new Sample("atax", "matrix", DenseSamples::atax));
  }

  private static void vectorAdd(SampleDevice d) {
    int n = 1000; // the last group has idle work-items
    float[] a = Inputs.floats(1, n, -10, 10);
    float[] b = Inputs.floats(2, n, -10, 10);
    long c = d.zeros(4 * n);
    d.launch("vector_add", 1024, 256, d.buffer(a), d.buffer(b), c, n);
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      expected[i] = a[i] + b[i];
    }
    assertThat(d.floats(c, n)).containsExactly(expected);
  }

  private static void relu(SampleDevice d) {
    int n = 777;
    float[] in = Inputs.floats(3, n, -1, 1);
    long out = d.zeros(4 * n);
    d.launch("relu", 832, 64, d.buffer(in), out, n);
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      expected[i] = in[i] > 0 ? in[i] : 0;
    }
    assertThat(d.floats(out, n)).containsExactly(expected);
  }

  private static void saxpy(SampleDevice d) {
    int n = 1500;
    float[] x = Inputs.floats(4, n, -3, 3);
    float[] y = Inputs.floats(5, n, -3, 3);
    long buffer = d.buffer(y);
    d.launch("saxpy", 512, 128, d.buffer(x), buffer, 1.7f, n);
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      expected[i] = Math.fma(1.7f, x[i], y[i]);
    }
    assertThat(d.floats(buffer, n)).containsExactly(expected);
  }

  private static void copy4(SampleDevice d) {
    int n = 300;
    float[] in = Inputs.floats(6, 4 * n, -1, 1);
    long out = d.zeros(16 * n);
    d.launch("copy4", 320, 64, d.buffer(in), out, n);
    assertThat(d.floats(out, 4 * n)).containsExactly(in);
  }

  private static void stridedSum(SampleDevice d) {
    int items = 256;
    int stride = 33;
    int[] in = Inputs.ints(7, items * stride, -1000, 1000);
    long out = d.zeros(4 * items);
    d.launch("strided_sum", items, 64, d.buffer(in), out, stride, 10);
    int[] expected = new int[items];
    for (int i = 0; i < items; i++) {
      for (int k = 0; k < 10; k++) {
        expected[i] += in[i * stride + k * 7 % stride];
      }
    }
    assertThat(d.ints(out, items)).containsExactly(expected);
  }

  private static void matmul(SampleDevice d, String kernel) {
    int n = 48;
    float[] a = Inputs.floats(8, n * n, -1, 1);
    float[] b = Inputs.floats(9, n * n, -1, 1);
    long c = d.zeros(4 * n * n);
    d.launch2d(kernel, n, n, 16, 16, d.buffer(a), d.buffer(b), c, n);
    float[] expected = new float[n * n];
    for (int y = 0; y < n; y++) {
      for (int x = 0; x < n; x++) {
        float sum = 0;
        for (int k = 0; k < n; k++) {
          sum = Math.fma(a[y * n + k], b[k * n + x], sum);
        }
        expected[y * n + x] = sum;
      }
    }
    assertThat(d.floats(c, n * n)).containsExactly(expected);
  }

  private static void transpose(SampleDevice d) {
    int width = 40;
    int height = 56;
    float[] in = Inputs.floats(10, width * height, -1, 1);
    long out = d.zeros(4 * width * height);
    d.launch2d("transpose", 48, 64, 16, 16, d.buffer(in), out, width, height);
    float[] expected = new float[width * height];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        expected[x * height + y] = in[y * width + x];
      }
    }
    assertThat(d.floats(out, width * height)).containsExactly(expected);
  }

  private static void atax(SampleDevice d) {
    int nx = 70;
    int ny = 50;
    float[] a = Inputs.floats(11, nx * ny, -1, 1);
    float[] x = Inputs.floats(12, ny, -1, 1);
    long matrix = d.buffer(a);
    long tmp = d.zeros(4 * nx);
    long y = d.zeros(4 * ny);
    d.launch("atax_ax", 128, 64, matrix, d.buffer(x), tmp, nx, ny);
    d.launch("atax_aty", 64, 64, matrix, tmp, y, nx, ny);
    float[] t = new float[nx];
    for (int i = 0; i < nx; i++) {
      for (int j = 0; j < ny; j++) {
        t[i] = Math.fma(a[i * ny + j], x[j], t[i]);
      }
    }
    float[] expected = new float[ny];
    for (int j = 0; j < ny; j++) {
      for (int i = 0; i < nx; i++) {
        expected[j] = Math.fma(a[i * ny + j], t[i], expected[j]);
      }
    }
    assertThat(d.floats(y, ny)).containsExactly(expected);
  }
}
