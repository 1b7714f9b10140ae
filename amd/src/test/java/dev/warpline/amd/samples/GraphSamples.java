package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** graph.cl. */
final class GraphSamples {
  private GraphSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("spmv_scalar", "graph", GraphSamples::spmvScalar),
        new Sample("spmv_vector", "graph", GraphSamples::spmvVector),
        new Sample("bfs_level", "graph", GraphSamples::bfs),
        new Sample("pagerank", "graph", GraphSamples::pagerank),
        new Sample("floyd_warshall", "graph", GraphSamples::floydWarshall),
        new Sample("nw_diagonal", "graph", GraphSamples::needlemanWunsch));
  }

  /** Compressed rows of random lengths, some empty. */
  private static int[] rows(int seed, int n, int most) {
    Random random = new Random(seed);
    int[] rows = new int[n + 1];
    for (int i = 0; i < n; i++) {
      rows[i + 1] = rows[i] + random.nextInt(most + 1);
    }
    return rows;
  }

  private static void spmvScalar(SampleDevice d) {
    int n = 150;
    int[] rows = rows(60, n, 20);
    int[] columns = Inputs.ints(61, rows[n], 0, n);
    float[] values = Inputs.floats(62, rows[n], -1, 1);
    float[] x = Inputs.floats(63, n, -1, 1);
    long y = d.zeros(4 * n);
    d.launch(
        "spmv_scalar",
        192,
        64,
        d.buffer(rows),
        d.buffer(columns),
        d.buffer(values),
        d.buffer(x),
        y,
        n);
    float[] expected = new float[n];
    for (int r = 0; r < n; r++) {
      for (int k = rows[r]; k < rows[r + 1]; k++) {
        expected[r] = Math.fma(values[k], x[columns[k]], expected[r]);
      }
    }
    assertThat(d.floats(y, n)).containsExactly(expected);
  }

  private static void spmvVector(SampleDevice d) {
    int n = 30;
    int[] rows = rows(64, n, 200);
    int[] columns = Inputs.ints(65, rows[n], 0, n);
    int[] values = Inputs.ints(66, rows[n], -100, 100);
    int[] x = Inputs.ints(67, n, -100, 100);
    long y = d.zeros(4 * n);
    d.launch(
        "spmv_vector",
        64 * 32,
        256,
        d.buffer(rows),
        d.buffer(columns),
        d.buffer(values),
        d.buffer(x),
        y,
        n);
    int[] expected = new int[n];
    for (int r = 0; r < n; r++) {
      for (int k = rows[r]; k < rows[r + 1]; k++) {
        expected[r] += values[k] * x[columns[k]];
      }
    }
    assertThat(d.ints(y, n)).containsExactly(expected);
  }

  private static void bfs(SampleDevice d) {
    int n = 300;
    int[] rows = rows(68, n, 4);
    int[] edges = Inputs.ints(69, rows[n], 0, n);
    int[] level = new int[n];
    Arrays.fill(level, -1);
    level[0] = 0;
    long rowBuffer = d.buffer(rows);
    long edgeBuffer = d.buffer(edges);
    long levels = d.buffer(level);
    for (int depth = 0; ; depth++) {
      long changed = d.zeros(4);
      d.launch("bfs_level", 320, 64, rowBuffer, edgeBuffer, levels, changed, depth, n);
      if (d.ints(changed, 1)[0] == 0) {
        break;
      }
    }
    ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(0));
    while (!queue.isEmpty()) {
      int v = queue.remove();
      for (int k = rows[v]; k < rows[v + 1]; k++) {
        if (level[edges[k]] < 0) {
          level[edges[k]] = level[v] + 1;
          queue.add(edges[k]);
        }
      }
    }
    assertThat(d.ints(levels, n)).containsExactly(level);
  }

  private static void pagerank(SampleDevice d) {
    int n = 100;
    int[] rows = rows(70, n, 8);
    int[] from = Inputs.ints(71, rows[n], 0, n);
    float[] weight = Inputs.floats(72, rows[n], 0, 1);
    float[] rank = new float[n];
    Arrays.fill(rank, 1.0f / n);
    long rowBuffer = d.buffer(rows);
    long fromBuffer = d.buffer(from);
    long weightBuffer = d.buffer(weight);
    long a = d.buffer(rank);
    long b = d.zeros(4 * n);
    for (int iteration = 0; iteration < 2; iteration++) {
      d.launch("pagerank", 128, 64, rowBuffer, fromBuffer, weightBuffer, a, b, n);
      long t = a;
      a = b;
      b = t;
      float[] next = new float[n];
      for (int v = 0; v < n; v++) {
        float sum = 0;
        for (int k = rows[v]; k < rows[v + 1]; k++) {
          sum = Math.fma(rank[from[k]], weight[k], sum);
        }
        next[v] = Math.fma(0.85f, sum, 0.15f / n);
      }
      rank = next;
    }
    assertThat(d.floats(a, n)).containsExactly(rank);
  }

  private static void floydWarshall(SampleDevice d) {
    int n = 24;
    int[] distance = Inputs.ints(73, n * n, 1, 100);
    for (int i = 0; i < n; i++) {
      distance[i * n + i] = 0;
    }
    long buffer = d.buffer(distance);
    for (int k = 0; k < n; k++) {
      d.launch2d("floyd_warshall", n, n, 8, 8, buffer, n, k);
      for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
          distance[y * n + x] =
              Math.min(distance[y * n + x], distance[y * n + k] + distance[k * n + x]);
        }
      }
    }
    assertThat(d.ints(buffer, n * n)).containsExactly(distance);
  }

  private static void needlemanWunsch(SampleDevice d) {
    int w = 33;
    int penalty = 10;
    int[] reference = Inputs.ints(74, w * w, -5, 10);
    int[] score = new int[w * w];
    for (int i = 1; i < w; i++) {
      score[i] = -i * penalty;
      score[i * w] = -i * penalty;
    }
    long scores = d.buffer(score);
    long references = d.buffer(reference);
    for (int diagonal = 1; diagonal < 2 * w - 2; diagonal++) {
      d.launch("nw_diagonal", 64, 64, scores, references, w, diagonal, penalty);
    }
    for (int y = 1; y < w; y++) {
      for (int x = 1; x < w; x++) {
        int best = score[(y - 1) * w + x - 1] + reference[y * w + x];
        best = Math.max(best, score[y * w + x - 1] - penalty);
        score[y * w + x] = Math.max(best, score[(y - 1) * w + x] - penalty);
      }
    }
    assertThat(d.ints(scores, w * w)).containsExactly(score);
  }
}
