package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

/** sort.cl. */
final class SortSamples {
  private SortSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("bitonic_step", "sort", SortSamples::bitonicSteps),
        new Sample("bitonic_local", "sort", SortSamples::bitonicLocal),
        new Sample("rank_sort", "sort", SortSamples::rankSort));
  }

  private static void bitonicSteps(SampleDevice d) {
    int log = 8;
    int n = 1 << log;
    int[] in = Inputs.ints(40, n, 0, 1 << 30);
    long data = d.buffer(in);
    for (int stage = 0; stage < log; stage++) {
      for (int pass = 0; pass <= stage; pass++) {
        d.launch("bitonic_step", n / 2, 64, data, stage, pass);
      }
    }
    Arrays.sort(in);
    assertThat(d.ints(data, n)).containsExactly(in);
  }

  private static void bitonicLocal(SampleDevice d) {
    int[] in = Inputs.anyInts(41, 1024);
    long data = d.buffer(in);
    d.launch("bitonic_local", 512, 256, data);
    Arrays.sort(in, 0, 512);
    Arrays.sort(in, 512, 1024);
    assertThat(d.ints(data, 1024)).containsExactly(in);
  }

  private static void rankSort(SampleDevice d) {
    int n = 150;
    int[] in = Inputs.ints(42, n, 0, 50);
    long out = d.zeros(4 * n);
    d.launch("rank_sort", 192, 64, d.buffer(in), out, n);
    Arrays.sort(in);
    assertThat(d.ints(out, n)).containsExactly(in);
  }
}
