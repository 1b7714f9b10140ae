package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** wave.hip. */
final class WaveSamples {
  private WaveSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("compact", "wave", WaveSamples::compact),
        new Sample("shuffle", "wave", WaveSamples::shuffle),
        new Sample("nested_loops", "wave", WaveSamples::nestedLoops));
  }

  private static void compact(SampleDevice d) {
    int n = 256;
    int[] in = Inputs.ints(170, n, -100, 100);
    long out = d.zeros(4 * n);
    long count = d.zeros(4 * 4);
    d.launch("compact", n, 128, d.buffer(in), out, count);
    int[] expected = new int[n];
    int[] counts = new int[4];
    for (int i = 0; i < n; i++) {
      if (in[i] > 0) {
        expected[i / 64 * 64 + counts[i / 64]++] = in[i];
      }
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
    assertThat(d.ints(count, 4)).containsExactly(counts);
  }

  private static void shuffle(SampleDevice d) {
    int n = 128;
    int[] in = Inputs.ints(171, n, -1000, 1000);
    long out = d.zeros(4 * n);
    d.launch("shuffle", n, 64, d.buffer(in), out);
    int[] expected = new int[n];
    for (int wave = 0; wave < n; wave += 64) {
      int[] pushed = new int[64];
      for (int lane = 0; lane < 64; lane++) {
        pushed[lane * 7 & 63] = in[wave + lane];
      }
      for (int lane = 0; lane < 64; lane++) {
        expected[wave + lane] =
            in[wave + (lane + 5 & 63)]
                + 3 * pushed[lane]
                + 5 * in[wave + (lane ^ 1)]
                + 7 * in[wave + (lane ^ 3)]
                + 11 * in[wave + (lane ^ 15)]
                + 13 * in[wave]
                + 17 * in[wave + 17];
      }
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }

  private static void nestedLoops(SampleDevice d) {
    int n = 192;
    int[] in = Inputs.anyInts(172, n);
    long out = d.zeros(4 * n);
    d.launch("nested_loops", n, 64, d.buffer(in), out);
    int[] expected = new int[n];
    for (int t = 0; t < n; t++) {
      int v = in[t] & 31;
      int sum = 0;
      for (int i = 0; i < v; i++) {
        if (i * v % 7 == 3) {
          continue;
        }
        for (int k = i; k < v; k += 3) {
          sum += i * k;
          if (sum > 4000) {
            break;
          }
        }
        if (sum % 11 == 10) {
          break;
        }
      }
      expected[t] =
          switch (v & 3) {
            case 0 -> sum + 1;
            case 1 -> sum * 2;
            case 2 -> sum - 7 ^ 0x55;
            default -> sum ^ 0x55;
          };
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }
}
