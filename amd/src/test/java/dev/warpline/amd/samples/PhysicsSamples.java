package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;

/** physics.cl. */
final class PhysicsSamples {
  private PhysicsSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("nbody", "physics", PhysicsSamples::nbody),
        new Sample("mandelbrot", "physics", PhysicsSamples::mandelbrot),
        new Sample("black_scholes", "physics", PhysicsSamples::blackScholes),
        new Sample("kmeans_assign", "physics", PhysicsSamples::kmeans),
        new Sample("monte_carlo", "physics", PhysicsSamples::monteCarlo));
  }

  private static void nbody(SampleDevice d) {
    int n = 128;
    float dt = 0.01f;
    float[] bodies = Inputs.floats(50, 4 * n, -1, 1);
    for (int i = 0; i < n; i++) {
      bodies[4 * i + 3] = Math.abs(bodies[4 * i + 3]) + 0.1f; // the mass
    }
    float[] velocity = Inputs.floats(51, 4 * n, -1, 1);
    long v = d.buffer(velocity);
    long out = d.zeros(16 * n);
    d.launch("nbody", n, 64, d.buffer(bodies), v, out, n, dt);
    float[] expected = new float[4 * n];
    for (int i = 0; i < n; i++) {
      float[] a = new float[3];
      for (int k = 0; k < n; k++) {
        float dx = bodies[4 * k] - bodies[4 * i];
        float dy = bodies[4 * k + 1] - bodies[4 * i + 1];
        float dz = bodies[4 * k + 2] - bodies[4 * i + 2];
        float d2 = Math.fma(dx, dx, Math.fma(dy, dy, Math.fma(dz, dz, 0.01f)));
        float s = bodies[4 * k + 3] / (d2 * (float) Math.sqrt(d2));
        a[0] = Math.fma(dx, s, a[0]);
        a[1] = Math.fma(dy, s, a[1]);
        a[2] = Math.fma(dz, s, a[2]);
      }
      for (int c = 0; c < 3; c++) {
        velocity[4 * i + c] = Math.fma(a[c], dt, velocity[4 * i + c]);
        expected[4 * i + c] = Math.fma(velocity[4 * i + c], dt, bodies[4 * i + c]);
      }
      expected[4 * i + 3] = bodies[4 * i + 3];
    }
    assertThat(d.floats(v, 4 * n)).containsExactly(velocity);
    assertThat(d.floats(out, 4 * n)).containsExactly(expected);
  }

  private static void mandelbrot(SampleDevice d) {
    int w = 32;
    float scale = 3.0f / w;
    int limit = 40;
    long out = d.zeros(4 * w * w);
    d.launch2d("mandelbrot", w, w, 8, 8, out, w, scale, limit);
    int[] expected = new int[w * w];
    for (int py = 0; py < w; py++) {
      for (int px = 0; px < w; px++) {
        float cx = px * scale - 2.0f;
        float cy = py * scale - 1.5f;
        float x = 0;
        float y = 0;
        int n = 0;
        while (n < limit && x * x + y * y < 4.0f) {
          float t = x * x - y * y + cx;
          y = 2.0f * x * y + cy;
          x = t;
          n++;
        }
        expected[py * w + px] = n;
      }
    }
    assertThat(d.ints(out, w * w)).containsExactly(expected);
  }

  private static double normal(double x) {
    double t = 1 / (1 + 0.2316419 * Math.abs(x));
    double p =
        t
            * (0.31938153
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    double tail = 0.39894228 * Math.exp(-0.5 * x * x) * p;
    return x < 0 ? tail : 1 - tail;
  }

  private static void blackScholes(SampleDevice d) {
    int n = 256;
    float[] spot = Inputs.floats(52, n, 5, 30);
    float[] strike = Inputs.floats(53, n, 5, 30);
    long call = d.zeros(4 * n);
    d.launch("black_scholes", n, 64, d.buffer(spot), d.buffer(strike), call, 1.5f, 0.02f, 0.3f);
    float[] got = d.floats(call, n);
    for (int i = 0; i < n; i++) {
      double root = Math.sqrt(1.5);
      double d1 = (Math.log(spot[i] / (double) strike[i]) + (0.02 + 0.045) * 1.5) / (0.3 * root);
      double d2 = d1 - 0.3 * root;
      double expected = spot[i] * normal(d1) - strike[i] * Math.exp(-0.03) * normal(d2);
      assertThat((double) got[i]).as("call %d", i).isCloseTo(expected, within(1e-4));
    }
  }

  private static void kmeans(SampleDevice d) {
    int n = 200;
    int clusters = 5;
    int features = 8;
    float[] points = Inputs.floats(54, n * features, 0, 1);
    float[] centers = Inputs.floats(55, clusters * features, 0, 1);
    long owner = d.zeros(4 * n);
    d.launch(
        "kmeans_assign",
        256,
        64,
        d.buffer(points),
        d.buffer(centers),
        owner,
        n,
        clusters,
        features);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      float best = 3.0e38f;
      for (int c = 0; c < clusters; c++) {
        float distance = 0;
        for (int f = 0; f < features; f++) {
          float delta = points[f * n + i] - centers[c * features + f];
          distance = Math.fma(delta, delta, distance);
        }
        if (distance < best) {
          best = distance;
          expected[i] = c;
        }
      }
    }
    assertThat(d.ints(owner, n)).containsExactly(expected);
  }

  private static void monteCarlo(SampleDevice d) {
    int n = 128;
    int tries = 50;
    long inside = d.zeros(4 * n);
    d.launch("monte_carlo", n, 64, inside, 12345, tries);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      int s = 12345 + i * (int) 2654435761L;
      for (int k = 0; k < tries; k++) {
        s ^= s << 13;
        s ^= s >>> 17;
        s ^= s << 5;
        long x = s & 0xffffL;
        long y = s >>> 16 & 0xffffL;
        expected[i] += x * x + y * y < 0x100000000L ? 1 : 0;
      }
    }
    assertThat(d.ints(inside, n)).containsExactly(expected);
  }
}
