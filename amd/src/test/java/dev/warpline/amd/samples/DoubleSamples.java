package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** double.cl. */
final class DoubleSamples {
  private DoubleSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("daxpy", "double", DoubleSamples::daxpy),
        new Sample("dot_f64", "double", DoubleSamples::dot),
        new Sample("newton_f64", "double", DoubleSamples::newton),
        new Sample("horner_f64", "double", DoubleSamples::horner));
  }

  private static void daxpy(SampleDevice d) {
    int n = 300;
    double[] x = Inputs.doubles(110, n, -3, 3);
    double[] y = Inputs.doubles(111, n, -3, 3);
    long buffer = d.buffer(y);
    d.launch("daxpy", 320, 64, d.buffer(x), buffer, Math.PI, n);
    for (int i = 0; i < n; i++) {
      y[i] = Math.fma(Math.PI, x[i], y[i]);
    }
    assertThat(d.doubles(buffer, n)).containsExactly(y);
  }

  private static void dot(SampleDevice d) {
    int n = 384;
    double[] a = Inputs.doubles(112, n, -3, 3);
    double[] b = Inputs.doubles(113, n, -3, 3);
    long out = d.zeros(8 * 3);
    d.launch("dot_f64", n, 128, d.buffer(a), d.buffer(b), out);
    double[] expected = new double[3];
    for (int group = 0; group < 3; group++) {
      double[] part = new double[128];
      for (int i = 0; i < 128; i++) {
        part[i] = a[128 * group + i] * b[128 * group + i];
      }
      for (int step = 64; step > 0; step /= 2) {
        for (int i = 0; i < step; i++) {
          part[i] += part[i + step];
        }
      }
      expected[group] = part[0];
    }
    assertThat(d.doubles(out, 3)).containsExactly(expected);
  }

  private static void newton(SampleDevice d) {
    int n = 128;
    double[] in = Inputs.doubles(114, n, 0.01, 1e6);
    long out = d.zeros(8 * n);
    long whole = d.zeros(4 * n);
    d.launch("newton_f64", n, 64, d.buffer(in), out, whole);
    double[] expected = new double[n];
    int[] expectedWhole = new int[n];
    for (int i = 0; i < n; i++) {
      double x = in[i] > 1 ? in[i] : 1;
      for (int k = 0; k < 6; k++) {
        x = 0.5 * (x + in[i] / x);
      }
      expected[i] = x - Math.sqrt(in[i]);
      expectedWhole[i] = (int) x + (int) Math.floor(in[i] * 0.25);
    }
    assertThat(d.doubles(out, n)).containsExactly(expected);
    assertThat(d.ints(whole, n)).containsExactly(expectedWhole);
  }

  private static void horner(SampleDevice d) {
    int n = 192;
    double[] x = Inputs.doubles(115, n, -1, 1);
    long y = d.zeros(8 * n);
    d.launch("horner_f64", n, 64, d.buffer(x), y);
    double[] expected = new double[n];
    for (int i = 0; i < n; i++) {
      double r = 1.0 / 362880.0;
      for (double factorial : new double[] {40320, 5040, 720, 120, 24, 6, 2, 1, 1}) {
        r = Math.fma(r, x[i], 1 / factorial);
      }
      expected[i] = r;
    }
    assertThat(d.doubles(y, n)).containsExactly(expected);
  }
}
