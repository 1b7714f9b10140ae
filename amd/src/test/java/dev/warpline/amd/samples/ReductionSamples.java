package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

/** reduce.cl. */
final class ReductionSamples {
  private ReductionSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("reduce_sum", "reduce", ReductionSamples::reduceSum),
        new Sample("reduce_wave", "reduce", ReductionSamples::reduceWave),
        new Sample("reduce_dpp", "reduce", ReductionSamples::reduceDpp),
        new Sample("scan", "reduce", ReductionSamples::scan),
        new Sample("histogram_global", "reduce", d -> histogram(d, "histogram_global", 2048)),
        new Sample("histogram_lds", "reduce", d -> histogram(d, "histogram_lds", 512)));
  }

  private static void reduceSum(SampleDevice d) {
    int n = 3000;
    int[] in = Inputs.ints(20, n, -1000, 1000);
    long out = d.zeros(4 * 4);
    d.launch("reduce_sum", 1024, 256, d.buffer(in), out, n);
    int[] expected = new int[4];
    for (int i = 0; i < n; i++) {
      expected[i % 1024 / 256] += in[i];
    }
    assertThat(d.ints(out, 4)).containsExactly(expected);
  }

  private static void reduceWave(SampleDevice d) {
    int[] in = Inputs.ints(21, 512, -1000, 1000);
    long out = d.zeros(4);
    d.launch("reduce_wave", 512, 128, d.buffer(in), out);
    assertThat(d.ints(out, 1)).containsExactly(Arrays.stream(in).sum());
  }

  private static void reduceDpp(SampleDevice d) {
    int[] in = Inputs.ints(22, 512, -1000, 1000);
    long out = d.zeros(4 * 8);
    d.launch("reduce_dpp", 512, 128, d.buffer(in), out);
    int[] expected = new int[8];
    for (int i = 0; i < in.length; i++) {
      expected[i / 64] += in[i];
    }
    assertThat(d.ints(out, 8)).containsExactly(expected);
  }

  private static void scan(SampleDevice d) {
    int n = 1024;
    int[] in = Inputs.ints(23, n, -1000, 1000);
    long out = d.zeros(4 * n);
    long totals = d.zeros(4 * 4);
    d.launch("scan_blocks", n, 256, d.buffer(in), out, totals);
    d.launch("scan_add", n, 256, out, totals);
    int[] expected = in.clone();
    Arrays.parallelPrefix(expected, Integer::sum);
    assertThat(d.ints(out, n)).containsExactly(expected);
  }

  private static void histogram(SampleDevice d, String kernel, int grid) {
    int n = 2000;
    int[] in = Inputs.anyInts(24, n);
    long bins = d.zeros(4 * 64);
    d.launch(kernel, grid, 128, d.buffer(in), bins, n);
    int[] expected = new int[64];
    for (int v : in) {
      expected[v & 63]++;
    }
    assertThat(d.ints(bins, 64)).containsExactly(expected);
  }
}
