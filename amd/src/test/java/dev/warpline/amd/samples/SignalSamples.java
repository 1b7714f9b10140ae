package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;

/** signal.cl. */
final class SignalSamples {
  private SignalSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("fft512", "signal", SignalSamples::fft),
        new Sample("walsh_step", "signal", SignalSamples::walsh),
        new Sample("haar", "signal", SignalSamples::haar));
  }

  private static void fft(SampleDevice d) {
    int transforms = 2;
    float[] in = Inputs.floats(80, 2 * 512 * transforms, -1, 1);
    long data = d.buffer(in);
    d.launch("fft512", 64 * transforms, 64, data);
    float[] got = d.floats(data, in.length);
    for (int t = 0; t < transforms; t++) {
      for (int k = 0; k < 512; k += 7) {
        double re = 0;
        double im = 0;
        for (int n = 0; n < 512; n++) {
          double angle = -2 * Math.PI * k * n / 512;
          double x = in[2 * (512 * t + n)];
          double y = in[2 * (512 * t + n) + 1];
          re += x * Math.cos(angle) - y * Math.sin(angle);
          im += x * Math.sin(angle) + y * Math.cos(angle);
        }
        assertThat((double) got[2 * (512 * t + k)]).as("real %d", k).isCloseTo(re, within(1e-3));
        assertThat((double) got[2 * (512 * t + k) + 1]).as("im %d", k).isCloseTo(im, within(1e-3));
      }
    }
  }

  private static void walsh(SampleDevice d) {
    int n = 512;
    float[] data = Inputs.floats(81, n, -1, 1);
    long buffer = d.buffer(data);
    for (int step = 1; step < n; step *= 2) {
      d.launch("walsh_step", n / 2, 128, buffer, step);
      for (int i = 0; i < n / 2; i++) {
        int at = i % step + i / step * 2 * step;
        float a = data[at];
        float b = data[at + step];
        data[at] = a + b;
        data[at + step] = a - b;
      }
    }
    assertThat(d.floats(buffer, n)).containsExactly(data);
  }

  private static void haar(SampleDevice d) {
    int[] data = Inputs.ints(82, 1024, -1000, 1000);
    long buffer = d.buffer(data);
    d.launch("haar", 512, 256, buffer);
    for (int base = 0; base < 1024; base += 512) {
      for (int n = 256; n > 0; n /= 2) {
        int[] t = new int[2 * n];
        for (int i = 0; i < n; i++) {
          t[i] = data[base + 2 * i] + data[base + 2 * i + 1];
          t[n + i] = data[base + 2 * i] - data[base + 2 * i + 1];
        }
        System.arraycopy(t, 0, data, base, 2 * n);
      }
    }
    assertThat(d.ints(buffer, 1024)).containsExactly(data);
  }
}
