package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** program.hip. */
final class ProgramSamples {
  private ProgramSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("globals", "program", ProgramSamples::globals),
        new Sample("indirect", "program", ProgramSamples::indirect),
        new Sample("recursion", "program", ProgramSamples::recursion),
        new Sample("reverse", "program", ProgramSamples::reverse),
        new Sample("structures", "program", ProgramSamples::structures));
  }

  private static void globals(SampleDevice d) {
    int n = 150;
    int[] in = Inputs.ints(160, n, -1000, 1000);
    long out = d.zeros(4 * n);
    long visits = d.zeros(4);
    d.launch("globals", 192, 64, d.buffer(in), out, n);
    d.launch("read_visits", 64, 64, visits);
    int[] weights = {1, -2, 3, -4, 5, -6, 7, -8};
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      expected[i] = in[i] * 3 + weights[i & 7];
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
    assertThat(d.ints(visits, 1)).containsExactly(n);
  }

  private static void indirect(SampleDevice d) {
    int n = 128;
    int[] in = Inputs.ints(161, n, 0, 1000);
    long out = d.zeros(4 * n);
    d.launch("indirect", n, 64, d.buffer(in), out);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      expected[i] =
          1
              + switch (in[i] % 3) {
                case 0 -> 2 * in[i];
                case 1 -> in[i] * in[i];
                default -> -in[i];
              };
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }

  private static int ackermann(int m, int n) {
    if (m == 0) {
      return n + 1;
    }
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
  }

  private static void recursion(SampleDevice d) {
    int n = 64;
    int[] in = Inputs.ints(162, n, 0, 1000);
    long out = d.zeros(4 * n);
    d.launch("recursion", n, 64, d.buffer(in), out);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      expected[i] = ackermann(in[i] & 1, 3 + (in[i] & 3));
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }

  private static void reverse(SampleDevice d) {
    int n = 384;
    int[] in = Inputs.anyInts(163, n);
    long out = d.zeros(4 * n);
    d.launch("reverse", new int[] {n, 1, 1}, new int[] {128, 1, 1}, 4 * 128, d.buffer(in), out);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      expected[i] = in[i / 128 * 128 + 127 - i % 128];
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }

  private static void structures(SampleDevice d) {
    int n = 128;
    float[] in = Inputs.floats(164, n + 7, -10, 10);
    ByteBuffer pair = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    pair.putFloat(1.25f).putInt(-7).putShort((short) 300).putShort((short) -400);
    long out = d.zeros(4 * n);
    d.launch("structures", n, 64, pair.array(), d.buffer(in), out);
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      float sum = 0;
      for (int k : new int[] {4, 5, 6, 3}) {
        sum += in[i + k];
      }
      expected[i] = sum * 1.25f + (float) (-7 + (i % 2 == 0 ? 300 : -400));
    }
    assertThat(d.floats(out, n)).containsExactly(expected);
  }
}
