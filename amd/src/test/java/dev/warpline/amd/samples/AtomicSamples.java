package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

/** atomics.cl. */
final class AtomicSamples {
  private AtomicSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("atomics_u32", "atomics", AtomicSamples::u32),
        new Sample("atomics_u64", "atomics", AtomicSamples::u64),
        new Sample("tickets", "atomics", AtomicSamples::tickets),
        new Sample("float_sum", "atomics", AtomicSamples::floatSum),
        new Sample("lds_atomics", "atomics", AtomicSamples::lds));
  }

  private static void u32(SampleDevice d) {
    int[] in = Inputs.anyInts(130, 512);
    int[] cells = {0, 0, -1, 0, 0, -1, 0, Integer.MAX_VALUE, Integer.MIN_VALUE};
    long buffer = d.buffer(cells);
    d.launch("atomics_u32", 512, 128, d.buffer(in), buffer);
    for (int v : in) {
      cells[0] += v;
      cells[1] -= v;
      cells[2] &= v | 0xff00ff00;
      cells[3] |= v & 0x00ff00ff;
      cells[4] ^= v;
      cells[5] = Integer.compareUnsigned(v, cells[5]) < 0 ? v : cells[5];
      cells[6] = Integer.compareUnsigned(v, cells[6]) > 0 ? v : cells[6];
      cells[7] = Math.min(cells[7], v);
      cells[8] = Math.max(cells[8], v);
    }
    assertThat(d.ints(buffer, 9)).containsExactly(cells);
  }

  private static void u64(SampleDevice d) {
    long[] in = Inputs.anyLongs(131, 256);
    long[] cells = {0, 0, 0, Long.MAX_VALUE};
    long buffer = d.buffer(cells);
    d.launch("atomics_u64", 256, 64, d.buffer(in), buffer);
    for (long v : in) {
      cells[0] += v;
      cells[1] ^= v;
      cells[2] = Long.compareUnsigned(v, cells[2]) > 0 ? v : cells[2];
      cells[3] = Math.min(cells[3], v);
    }
    assertThat(d.longs(buffer, 4)).containsExactly(cells);
  }

  private static void tickets(SampleDevice d) {
    int n = 384;
    long counter = d.zeros(4 * 5);
    long taken = d.zeros(4 * n);
    d.launch("tickets", n, 128, counter, taken);
    int[] ones = new int[n];
    Arrays.fill(ones, 1);
    assertThat(d.ints(counter, 1)).containsExactly(n);
    assertThat(d.ints(taken, n)).containsExactly(ones);
  }

  private static void floatSum(SampleDevice d) {
    float[] in = Inputs.wholeFloats(132, 192, 0, 100);
    long sum = d.zeros(4);
    d.launch("float_sum", 192, 64, d.buffer(in), sum);
    float expected = 0;
    for (float v : in) {
      expected += v;
    }
    assertThat(d.floats(sum, 1)).containsExactly(expected);
  }

  private static void lds(SampleDevice d) {
    int[] in = Inputs.ints(133, 384, -1000, 1000);
    long out = d.zeros(4 * 4 * 3);
    d.launch("lds_atomics", 384, 128, d.buffer(in), out);
    int[] expected = new int[12];
    for (int group = 0; group < 3; group++) {
      int most = Integer.MIN_VALUE;
      long wide = 0;
      for (int i = 128 * group; i < 128 * group + 128; i++) {
        expected[4 * group] += in[i];
        most = Math.max(most, in[i]);
        wide += (in[i] & 0xffffffffL) << 16;
      }
      expected[4 * group + 1] = most;
      expected[4 * group + 2] = (int) wide;
      expected[4 * group + 3] = (int) (wide >>> 32);
    }
    assertThat(d.ints(out, 12)).containsExactly(expected);
  }
}
