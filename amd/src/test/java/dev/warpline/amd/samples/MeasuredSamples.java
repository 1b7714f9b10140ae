package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;

/** measured.cl. Values are whole numbers, so contraction and order do not matter. */
final class MeasuredSamples {
  private MeasuredSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("sums_in_memory", "measured", MeasuredSamples::sumsInMemory),
        new Sample("convolution_flat", "measured", MeasuredSamples::convolution),
        new Sample("im2col_flat", "measured", MeasuredSamples::im2col),
        new Sample("stencil_strip", "measured", MeasuredSamples::stencil),
        new Sample("transpose_blocks", "measured", MeasuredSamples::transpose),
        new Sample("floyd_warshall_paths", "measured", MeasuredSamples::floydWarshall),
        new Sample("fir_history", "measured", MeasuredSamples::fir),
        new Sample("matmul_blocks", "product", MeasuredSamples::matmul),
        new Sample("nbody_shared", "measured", MeasuredSamples::nbody),
        new Sample("pagerank_wave", "measured", MeasuredSamples::pagerank),
        new Sample("nw_block", "measured", MeasuredSamples::needlemanWunsch),
        new Sample("bfs_chunks", "measured", MeasuredSamples::search),
        new Sample("gemm_bias", "measured", MeasuredSamples::gemm),
        new Sample("fft512_radix8", "measured", MeasuredSamples::fft));
  }

  private static void sumsInMemory(SampleDevice d) {
    int n = 70;
    float[] a = Inputs.wholeFloats(90, n * n, -9, 9);
    float[] x = Inputs.wholeFloats(91, n, -9, 9);
    long matrix = d.buffer(a);
    long vector = d.buffer(x);
    long rows = d.zeros(4 * n);
    long columns = d.zeros(4 * n);
    d.launch("fill", 128, 64, rows, Float.floatToIntBits(1), n);
    d.launch("fill", 128, 64, columns, Float.floatToIntBits(1), n);
    d.launch("rows_in_memory", 128, 64, matrix, vector, rows, n, n, 0);
    d.launch("columns_in_memory", 128, 64, matrix, vector, columns, n, n, 1);
    float[] byRow = new float[n];
    float[] byColumn = new float[n];
    Arrays.fill(byRow, 1);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        byRow[i] += a[i * n + j] * x[j];
        byColumn[j] += a[i * n + j] * x[i];
      }
    }
    assertThat(d.floats(rows, n)).containsExactly(byRow);
    assertThat(d.floats(columns, n)).containsExactly(byColumn);
  }

  private static void search(SampleDevice d) {
    int n = 100;
    int[] rows = new int[n + 1];
    int[] edges = new int[2 * n];
    int[] level = new int[n];
    Arrays.fill(level, -1);
    level[0] = 0;
    for (int i = 0; i < n; i++) {
      rows[i + 1] = 2 * (i + 1);
      edges[2 * i] = (2 * i + 1) % n;
      edges[2 * i + 1] = (2 * i + 2) % n;
    }
    long levels = d.buffer(level);
    long changed = d.zeros(4);
    long offsets = d.buffer(rows);
    long neighbours = d.buffer(edges);
    for (int depth = 0; depth < 3; depth++) {
      d.launch("bfs_chunks", 128, 64, levels, offsets, neighbours, 32, 32, n, depth, changed);
      for (int v = 0; v < n; v++) {
        for (int e = rows[v]; level[v] == depth && e < rows[v + 1]; e++) {
          level[edges[e]] = level[edges[e]] < 0 ? depth + 1 : level[edges[e]];
        }
      }
    }
    assertThat(d.ints(levels, n)).containsExactly(level);
    assertThat(d.ints(changed, 1)).containsExactly(1);
  }

  private static void gemm(SampleDevice d) {
    int m = 3;
    int n = 32;
    int k = 18;
    float[] a = Inputs.wholeFloats(108, m * k, -9, 9);
    float[] b = Inputs.wholeFloats(109, k * n, -9, 9);
    float[] c = Inputs.wholeFloats(110, m * n, -9, 9);
    // Tiles of 16 x 16 clear more rows than the result has.
    long out = d.zeros(4 * 16 * 32);
    long bias = d.buffer(c);
    d.launch2d("gemm_bias", 32, 16, 16, 16, m, n, k, 2f, 3f, d.buffer(a), d.buffer(b), bias, out);
    float[] expected = new float[m * n];
    for (int i = 0; i < m * n; i++) {
      for (int x = 0; x < k; x++) {
        expected[i] += a[i / n * k + x] * b[x * n + i % n];
      }
      expected[i] = 2 * expected[i] + 3 * c[i];
    }
    assertThat(d.floats(out, m * n)).containsExactly(expected);
  }

  private static void fft(SampleDevice d) {
    int n = 512;
    float[] in = Inputs.wholeFloats(111, 2 * n, -9, 9);
    long data = d.buffer(in);
    d.launch("fft512_radix8", 64, 64, data);
    float[] out = d.floats(data, 2 * n);
    for (int f = 0; f < n; f += 37) {
      double real = 0;
      double imaginary = 0;
      for (int i = 0; i < n; i++) {
        double angle = -2 * Math.PI * f * i / n;
        real += in[2 * i] * Math.cos(angle) - in[2 * i + 1] * Math.sin(angle);
        imaginary += in[2 * i] * Math.sin(angle) + in[2 * i + 1] * Math.cos(angle);
      }
      assertThat((double) out[2 * f]).isCloseTo(real, within(1e-2));
      assertThat((double) out[2 * f + 1]).isCloseTo(imaginary, within(1e-2));
    }
  }

  private static void convolution(SampleDevice d) {
    int w = 24;
    int m = 3;
    int pitch = w + m - 1;
    int[] in = Inputs.ints(92, pitch * pitch, 0, 9);
    float[] mask = Inputs.wholeFloats(93, m * m, 0, 9);
    long out = d.zeros(4 * w * w);
    long image = d.buffer(in);
    d.launch("convolution_flat", w * w, 64, image, d.buffer(mask), out, w, w, m, pitch);
    int[] expected = new int[w * w];
    for (int i = 0; i < w * w; i++) {
      for (int k = 0; k < m * m; k++) {
        expected[i] += in[(i / w + k / m) * pitch + i % w + k % m] * (int) mask[k];
      }
    }
    assertThat(d.ints(out, w * w)).containsExactly(expected);
  }

  private static void im2col(SampleDevice d) {
    int w = 12;
    int k = 3;
    int out = w - k + 1;
    float[] in = Inputs.wholeFloats(94, w * w, 0, 99);
    long columns = d.zeros(4 * out * out * k * k);
    long one = 1L << 32 | 1;
    long size = (long) w << 32 | w;
    long window = (long) k << 32 | k;
    d.launch("im2col_flat", 128, 64, d.buffer(in), columns, size, window, one, 0L, one, 1, 1);
    float[] expected = new float[out * out * k * k];
    for (int e = 0; e < k * k; e++) {
      for (int p = 0; p < out * out; p++) {
        expected[e * out * out + p] = in[(p / out + e / k) * w + p % out + e % k];
      }
    }
    assertThat(d.floats(columns, expected.length)).containsExactly(expected);
  }

  private static void stencil(SampleDevice d) {
    int rows = 32;
    int columns = 64;
    int pitch = 80;
    float[] in = Inputs.wholeFloats(95, (rows + 2) * pitch, 0, 9);
    long out = d.zeros(4 * in.length);
    d.launch2d("stencil_strip", rows / 16, columns, 1, 64, d.buffer(in), out, 16, 4f, 2f, 1f);
    float[] expected = new float[in.length];
    for (int r = 1; r <= rows; r++) {
      for (int c = 1; c <= columns; c++) {
        int i = r * pitch + c;
        float sides = in[i - 1] + in[i + 1] + in[i - pitch] + in[i + pitch];
        float corners =
            in[i - pitch - 1] + in[i - pitch + 1] + in[i + pitch - 1] + in[i + pitch + 1];
        expected[i] = 4 * in[i] + 2 * sides + corners;
      }
    }
    assertThat(d.floats(out, in.length)).containsExactly(expected);
  }

  private static void transpose(SampleDevice d) {
    int n = 128;
    float[] in = Inputs.wholeFloats(96, n * n, 0, 999);
    long out = d.zeros(4 * n * n);
    SampleDevice.Local tile = new SampleDevice.Local(16384);
    int quads = n / 4;
    d.launch2d("transpose_blocks", quads, quads, 16, 16, out, d.buffer(in), tile, quads, quads, 2);
    float[] expected = new float[n * n];
    for (int i = 0; i < n * n; i++) {
      expected[i % n * n + i / n] = in[i];
    }
    assertThat(d.floats(out, n * n)).containsExactly(expected);
  }

  private static void floydWarshall(SampleDevice d) {
    int n = 16;
    int[] distance = Inputs.ints(97, n * n, 1, 100);
    int[] through = new int[n * n];
    long distances = d.buffer(distance);
    long paths = d.buffer(through);
    for (int k = 0; k < n; k++) {
      d.launch2d("floyd_warshall_paths", n, n, 8, 8, distances, paths, n, k);
      int[] before = distance.clone();
      for (int i = 0; i < n * n; i++) {
        int other = before[i / n * n + k] + before[k * n + i % n];
        if (other < before[i]) {
          distance[i] = other;
          through[i] = k;
        }
      }
    }
    assertThat(d.ints(distances, n * n)).containsExactly(distance);
    assertThat(d.ints(paths, n * n)).containsExactly(through);
  }

  private static void fir(SampleDevice d) {
    int n = 128;
    int taps = 5;
    float[] in = Inputs.wholeFloats(98, n, -9, 9);
    float[] weights = Inputs.wholeFloats(99, taps, -9, 9);
    float[] history = Inputs.wholeFloats(100, taps, -9, 9);
    long out = d.zeros(4 * n);
    long buffer = d.buffer(weights);
    d.launch("fir_history", n, 64, out, buffer, d.buffer(in), d.buffer(history), taps);
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      for (int t = 0; t < taps; t++) {
        expected[i] += weights[t] * (i >= t ? in[i - t] : history[taps - (t - i)]);
      }
    }
    assertThat(d.floats(out, n)).containsExactly(expected);
  }

  private static void matmul(SampleDevice d) {
    // One tile: with more of them groups overwrite each other's, as in the measured program.
    int n = 32;
    float[] a = Inputs.wholeFloats(101, n * n, -9, 9);
    float[] b = Inputs.wholeFloats(102, n * n, -9, 9);
    long c = d.zeros(4 * n * n);
    long tile = d.zeros(8 * 8 * 4 * 16);
    d.launch2d("matmul_blocks", n / 4, n / 4, 8, 8, d.buffer(a), d.buffer(b), c, n, tile);
    float[] expected = new float[n * n];
    for (int i = 0; i < n * n; i++) {
      for (int k = 0; k < n; k++) {
        expected[i] += a[i / n * n + k] * b[k * n + i % n];
      }
    }
    assertThat(d.floats(c, n * n)).containsExactly(expected);
  }

  private static void nbody(SampleDevice d) {
    int n = 64;
    float[] position = Inputs.floats(103, 4 * n, 1, 2);
    float[] velocity = Inputs.floats(104, 4 * n, -1, 1);
    float dt = 0.25f;
    long tile = d.zeros(16 * n);
    long moved = d.zeros(16 * n);
    long faster = d.zeros(16 * n);
    long start = d.buffer(position);
    d.launch("nbody_shared", n, n, start, d.buffer(velocity), n, dt, 1f, tile, moved, faster);
    float[] found = d.floats(faster, 4 * n);
    for (int i = 0; i < n; i++) {
      for (int axis = 0; axis < 3; axis++) {
        double pull = 0;
        for (int k = 0; k < n; k++) {
          double square = 1;
          for (int other = 0; other < 3; other++) {
            double distance = position[4 * k + other] - position[4 * i + other];
            square += distance * distance;
          }
          double distance = position[4 * k + axis] - position[4 * i + axis];
          pull += position[4 * k + 3] * distance / (square * Math.sqrt(square));
        }
        assertThat((double) found[4 * i + axis])
            .isCloseTo(velocity[4 * i + axis] + pull * dt, within(1e-4));
      }
    }
  }

  private static void pagerank(SampleDevice d) {
    int n = 40;
    int[] rows = new int[n + 1];
    for (int i = 0; i < n; i++) {
      rows[i + 1] = rows[i] + 3 * i;
    }
    int[] columns = Inputs.ints(105, rows[n], 0, n);
    float[] values = Inputs.wholeFloats(106, rows[n], 0, 9);
    float[] x = Inputs.wholeFloats(107, n, 0, 9);
    long y = d.zeros(4 * n);
    long starts = d.buffer(rows);
    long weights = d.buffer(values);
    d.launch("pagerank_wave", 64 * n, 64, n, starts, d.buffer(columns), weights, d.buffer(x), y);
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      for (int k = rows[i]; k < rows[i + 1]; k++) {
        expected[i] += values[k] * x[columns[k]];
      }
    }
    assertThat(d.floats(y, n)).containsExactly(expected);
  }

  private static void needlemanWunsch(SampleDevice d) {
    int blocks = 2;
    int pitch = 64 * blocks + 1;
    int penalty = 10;
    int[] reference = Inputs.ints(108, pitch * pitch, -4, 12);
    int[] score = new int[pitch * pitch];
    for (int i = 0; i < pitch; i++) {
      score[i] = -penalty * i;
      score[i * pitch] = -penalty * i;
    }
    long matches = d.buffer(reference);
    long scores = d.buffer(score);
    d.launch("nw_block", 64, 64, matches, scores, pitch, penalty, 0, 0, 64);
    d.launch("nw_block", 128, 64, matches, scores, pitch, penalty, 0, 1, 64);
    d.launch("nw_block", 64, 64, matches, scores, pitch, penalty, 1, 1, 64);
    for (int r = 1; r < pitch; r++) {
      for (int c = 1; c < pitch; c++) {
        int i = r * pitch + c;
        int best = score[i - pitch - 1] + reference[i];
        best = Math.max(best, score[i - 1] - penalty);
        score[i] = Math.max(best, score[i - pitch] - penalty);
      }
    }
    assertThat(d.ints(scores, pitch * pitch)).containsExactly(score);
  }
}
