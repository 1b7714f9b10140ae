package dev.warpline.study.amd;

import dev.warpline.amd.hsa.HsaDevice;
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
    void prepare(Workload w, int[] s) throws IOException {
      int n = s[0];
      w.launch("vector_add", n, 256, w.floats(n), w.floats(n), w.zeros(4L * n), n);
    }
  },
  RELU("relu", "stream", 2_097_152) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      w.launch("relu", s[0], 256, w.floats(s[0]), w.zeros(4L * s[0]), s[0]);
    }
  },
  TRANSPOSE("matrixtranspose", "matrix", 1536) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      long items = (long) s[0] * s[0];
      w.launch2d("transpose", s[0], s[0], 16, 16, w.floats(items), w.zeros(4 * items), s[0], s[0]);
    }
  },
  FIR("fir", "stencil", 262_144) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      w.launch("fir", s[0], 256, w.floats(s[0]), w.floats(s[1]), w.zeros(4L * s[0]), s[1], s[0]);
    }
  },
  CONVOLUTION("simpleconvolution", "stencil", 512) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      int width = s[0];
      int mask = s[2];
      long padded = (long) (width + mask - 1) * (width + mask - 1);
      w.launch2d(
          "convolution",
          width,
          width,
          64,
          4,
          w.floats(padded),
          w.floats((long) mask * mask),
          w.zeros(4L * width * width),
          width,
          mask);
    }
  },
  ATAX("atax", "matrix", 768) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      int n = s[0];
      long a = w.floats((long) n * n);
      long x = w.floats(n);
      long between = w.zeros(4L * n);
      w.launch("atax_ax", n, 256, a, x, between, n, n);
      w.launch("atax_aty", n, 256, a, between, w.zeros(4L * n), n, n);
    }
  },
  BICG("bicg", "matrix", 768) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      int n = s[0];
      long a = w.floats((long) n * n);
      w.launch("atax_aty", n, 256, a, w.floats(n), w.zeros(4L * n), n, n);
      w.launch("atax_ax", n, 256, a, w.floats(n), w.zeros(4L * n), n, n);
    }
  },
  SPMV("spmv_csr_scalar", "graph", 65_536) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      int rows = s[0];
      int entries = s[2];
      w.launch(
          "spmv_scalar",
          rows,
          256,
          w.multiples(rows + 1L, entries / rows),
          w.ints(entries, rows),
          w.floats(entries),
          w.floats(rows),
          w.zeros(4L * rows),
          rows);
    }
  },
  KMEANS("kmeans", "physics", 65_536) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
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
  FLOYD_WARSHALL("floydwarshall", "graph", 96) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      int n = s[0];
      long distance = w.ints((long) n * n, 100);
      for (int k = 0; k < n; k++) {
        w.launch2d("floyd_warshall", n, n, 8, 8, distance, n, k);
      }
    }
  },
  BITONIC_SORT("bitonicsort", "sort", 65_536) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      long data = w.ints(s[0], 1 << 30);
      for (int stage = 0; 1 << stage < s[0]; stage++) {
        for (int pass = 0; pass <= stage; pass++) {
          w.launch("bitonic_step", s[0] / 2, 256, data, stage, pass);
        }
      }
    }
  },
  WALSH("fastwalshtransform", "signal", 524_288) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      long data = w.floats(s[0]);
      for (int step = 1; step < s[0]; step *= 2) {
        w.launch("walsh_step", s[0] / 2, 256, data, step);
      }
    }
  },
  STENCIL("stencil2d", "stencil", 1536) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      long items = (long) s[0] * s[0];
      w.launch2d("stencil2d", s[0], s[0], 64, 4, w.floats(items), w.zeros(4 * items), s[0], s[0]);
    }
  },
  IM2COL("im2col", "nn", 256) {
    @Override
    void prepare(Workload w, int[] s) throws IOException {
      int width = s[2];
      int size = s[4];
      int out = width - size + 1;
      w.launch2d(
          "im2col",
          out,
          out,
          16,
          16,
          w.floats((long) width * width),
          w.zeros(4L * out * out * size * size),
          width,
          width,
          size);
    }
  };

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
  abstract void prepare(Workload workload, int[] sizes) throws IOException;

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
    int main = this == IM2COL ? sizes(size)[2] : sizes(size)[0];
    return main <= largest;
  }

  /** Simulated milliseconds. */
  double simulate(HsaDevice device, Path code, String size) throws IOException {
    Workload workload = new Workload(device, code, source);
    prepare(workload, sizes(size));
    return workload.milliseconds();
  }

  private static int[] sizes(String text) {
    Matcher matcher = NUMBER.matcher(text);
    return matcher.results().mapToInt(m -> (int) Double.parseDouble(m.group())).toArray();
  }
}
