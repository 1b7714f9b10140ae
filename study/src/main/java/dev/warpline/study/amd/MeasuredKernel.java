package dev.warpline.study.amd;

import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.engine.gpu.AmdSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The measured programs whose algorithm a sample kernel shares, and how each call maps to launches.
 * The sizes are the numbers in the measured size's name, in order.
 */
enum MeasuredKernel {
  VECTORADD("vectoradd", "stream", 4_194_304) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int n = s[0];
      w.launch("vector_add", n, 256, w.floats(n), w.floats(n), w.zeros(4L * n), n);
    }
  },
  RELU("relu", "stream", 2_097_152) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      w.launch("relu", s[0], 256, w.floats(s[0]), w.zeros(4L * s[0]), s[0]);
    }
  },
  TRANSPOSE("matrixtranspose", "measured", 1536) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      long items = (long) s[0] * s[0];
      int quads = s[0] / 4;
      w.launch2d(
          "transpose_blocks",
          quads,
          quads,
          16,
          16,
          w.zeros(4 * items),
          w.floats(items),
          MeasuredCall.lds(16 * 16 * 16 * 4),
          quads,
          quads,
          quads / 16);
    }
  },
  FIR("fir", "measured", 262_144) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int taps = s[1];
      w.launch(
          "fir_history",
          s[0],
          256,
          w.zeros(4L * s[0]),
          w.floats(taps),
          w.floats(s[0]),
          w.floats(taps),
          taps);
    }
  },
  CONVOLUTION("simpleconvolution", "measured", 1024) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int width = s[0];
      int mask = s[2];
      int pitch = width + mask - 1;
      w.launch(
          "convolution_flat",
          width * width,
          64,
          w.ints((long) pitch * pitch, 2),
          w.floats((long) mask * mask),
          w.zeros(4L * width * width),
          width,
          width,
          mask,
          pitch);
    }
  },
  ATAX("atax", "measured", 1536) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int n = s[0];
      long a = w.floats((long) n * n);
      long between = w.zeros(4L * n);
      long out = w.zeros(4L * n);
      w.launch("fill", n, 256, between, 0, n);
      w.launch("fill", n, 256, out, 0, n);
      w.launch("rows_in_memory", n, 256, a, w.floats(n), between, n, n, 0);
      w.launch("columns_in_memory", n, 256, a, between, out, n, n, 0);
    }
  },
  BICG("bicg", "measured", 1536) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int n = s[0];
      long a = w.floats((long) n * n);
      w.launch("rows_in_memory", n, 256, a, w.floats(n), w.zeros(4L * n), n, n, 1);
      w.launch("columns_in_memory", n, 256, a, w.floats(n), w.zeros(4L * n), n, n, 1);
    }
  },
  SPMV("spmv_csr_scalar", "graph", 65_536) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int rows = s[0];
      int perRow = s[2] / rows;
      w.launch(
          "spmv_scalar",
          rows,
          256,
          w.fill(rows + 1L, i -> i * perRow),
          w.fill((long) rows * perRow, i -> (i / perRow + i % perRow) % rows),
          w.floats((long) rows * perRow),
          w.floats(rows),
          w.zeros(4L * rows),
          rows);
    }
  },
  KMEANS("kmeans", "physics", 65_536) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int points = s[0];
      int features = s[1];
      int clusters = s[2];
      w.launch(
          "kmeans_assign",
          points,
          256,
          w.floats((long) points * features),
          w.floats((long) clusters * features),
          w.zeros(4L * points),
          points,
          clusters,
          features);
    }
  },
  FLOYD_WARSHALL("floydwarshall", "measured", 160) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int n = s[0];
      long bytes = 4L * n * n;
      long distance = w.ints((long) n * n, 100);
      long through = w.zeros(bytes);
      w.copy(bytes);
      w.copy(bytes);
      for (int k = 0; k < n; k++) {
        w.launch2d("floyd_warshall_paths", n, n, 8, 8, distance, through, n, k);
      }
      w.sync();
    }
  },
  BITONIC_SORT("bitonicsort", "sort", 65_536) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      long data = w.ints(s[0], 1 << 30);
      w.copy(4L * s[0]);
      for (int stage = 0; 1 << stage < s[0]; stage++) {
        for (int pass = 0; pass <= stage; pass++) {
          w.launch("bitonic_step", s[0] / 2, 64, data, stage, pass);
        }
      }
      w.sync();
    }
  },
  WALSH("fastwalshtransform", "signal", 524_288) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      long data = w.floats(s[0]);
      w.copy(4L * s[0]);
      for (int step = 1; step < s[0]; step *= 2) {
        w.launch("walsh_step", s[0] / 2, 256, data, step);
      }
      w.sync();
    }
  },
  STENCIL("stencil2d", "measured", 1536) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int n = s[0];
      int rows = n / 16;
      int pitch = (n + 2 + 15) / 16 * 16;
      long items = (n + 2L) * pitch;
      w.launch2d(
          "stencil_strip",
          rows,
          n,
          1,
          64,
          w.floats(items),
          w.zeros(4 * items),
          16,
          0.25f,
          0.15f,
          0.05f);
    }
  },
  IM2COL("im2col", "measured", 256) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      long width = s[2];
      long size = s[4];
      int windows = (int) ((width - size + 1) * (width - size + 1));
      long out = w.zeros(4L * windows * size * size);
      w.launch("im2col_flat", windows, 256, unfold(w, width, size, out));
    }
  },
  MATRIX_PRODUCT("matrixmultiplication", "product", 384) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int n = s[0];
      long items = (long) n * n;
      w.launch2d(
          "matmul_blocks",
          n / 4,
          n / 4,
          8,
          8,
          w.floats(items),
          w.floats(items),
          w.zeros(4 * items),
          n,
          w.zeros(8 * 8 * 4 * 16));
    }
  },
  NBODY("nbody", "measured", 1280) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int n = s[0];
      w.launch(
          "nbody_shared",
          n,
          256,
          w.floats(4L * n),
          w.zeros(16L * n),
          n,
          0.005f,
          50f,
          w.zeros(16 * 256),
          w.zeros(16L * n),
          w.zeros(16L * n));
    }
  },
  FFT("fft1D_512", "measured", 524_288) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      w.launch("fft512_radix8", s[0] / 8, 64, w.floats(2L * s[0]));
    }
  },
  CONV2D("conv2d", "measured", 256) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      long width = s[2];
      int size = s[4];
      int channels = s[6];
      int windows = (int) ((width - size + 1) * (width - size + 1));
      int tiles = (windows + 15) / 16 * 16;
      long unfolded = w.zeros(4L * windows * size * size);
      w.launch("im2col_flat", windows, 256, unfold(w, width, size, unfolded));
      w.launch2d(
          "gemm_bias",
          tiles,
          16,
          16,
          16,
          channels,
          windows,
          size * size,
          1f,
          0f,
          w.floats((long) channels * size * size),
          unfolded,
          w.zeros(4L * channels * windows),
          w.zeros(4L * 16 * tiles));
    }
  },
  BFS("bfs", "measured", 65_536) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int nodes = s[0];
      MeasuredGraph graph = new MeasuredGraph(nodes, s[1]);
      long level = w.zeros(4L * nodes);
      long rows = w.fill(nodes + 1L, graph::row);
      long edges = w.fill(graph.edgeCount(), graph::edge);
      long flag = w.zeros(4);
      w.before(() -> w.write(level, nodes, i -> i == 0 ? 0 : -1));
      w.copy(4L * nodes);
      for (int depth = 0; depth < graph.levels(); depth++) {
        w.copy(4);
        w.launch("bfs_chunks", nodes, 256, level, rows, edges, 32, 32, nodes, depth, flag);
        w.sync();
        w.copy(4);
      }
    }
  },
  PAGERANK("pagerank", "measured", 1536) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int n = s[0];
      int perRow = n / 2;
      long entries = (long) n * perRow;
      long rows = w.fill(n + 1L, i -> i * perRow);
      long columns = w.fill(entries, i -> 2 * (i % perRow) + (i / perRow + i) % 2);
      long values = w.floats(entries);
      long x = w.floats(n);
      long y = w.zeros(4L * n);
      w.copy(4L * n);
      w.launch("pagerank_wave", n * 64, 64, n, rows, columns, values, x, y);
      w.launch("pagerank_wave", n * 64, 64, n, rows, columns, values, y, x);
    }
  },
  NEEDLEMAN_WUNSCH("nw", "measured", 640) {
    @Override
    void prepare(MeasuredCall w, int[] s) throws IOException {
      int pitch = s[0] + 1;
      int blocks = s[0] / 64;
      long reference = w.ints((long) pitch * pitch, 10);
      long score = w.ints((long) pitch * pitch, 10);
      w.copy(4L * pitch * pitch);
      for (int d = 0; d < blocks; d++) {
        w.launch("nw_block", 64 * (d + 1), 64, reference, score, pitch, 10, 0, d, 64);
      }
      for (int d = blocks - 1; d > 0; d--) {
        int x = blocks - d;
        w.launch("nw_block", 64 * d, 64, reference, score, pitch, 10, x, blocks - 1, 64);
      }
    }
  };

  /** Arguments of im2col for a square image of one channel. */
  private static Object[] unfold(MeasuredCall w, long width, long size, long out) {
    long one = 1L << 32 | 1;
    return new Object[] {
      w.floats(width * width), out, width << 32 | width, size << 32 | size, one, 0L, one, 1, 1
    };
  }

  private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");

  private final String measuredName;
  private final String source;
  private final int largest;

  MeasuredKernel(String measuredName, String source, int largest) {
    this.measuredName = measuredName;
    this.source = source;
    this.largest = largest;
  }

  /** Sets up buffers and launches. */
  abstract void prepare(MeasuredCall workload, int[] sizes) throws IOException;

  /** The kernel of a measured program, or null where no sample shares its algorithm. */
  static MeasuredKernel named(String name) {
    for (MeasuredKernel kernel : values()) {
      if (kernel.measuredName.equals(name)) {
        return kernel;
      }
    }
    return null;
  }

  /** Whether the size is one that is simulated in seconds. */
  boolean isTractable(String size) {
    int main = this == IM2COL || this == CONV2D ? sizes(size)[2] : sizes(size)[0];
    return main <= largest;
  }

  /** The call at a measured size, ready to run. */
  MeasuredCall workload(HsaDevice device, AmdSpec spec, Path code, String size) throws IOException {
    MeasuredCall workload = new MeasuredCall(device, spec, code, source);
    prepare(workload, sizes(size));
    return workload;
  }

  private static int[] sizes(String text) {
    Matcher matcher = NUMBER.matcher(text);
    return matcher.results().mapToInt(m -> (int) Double.parseDouble(m.group())).toArray();
  }
}
