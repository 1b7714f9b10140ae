package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;

/** nn.cl. */
final class NetworkSamples {
  private NetworkSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("softmax", "nn", NetworkSamples::softmax),
        new Sample("layer_norm", "nn", NetworkSamples::layerNorm),
        new Sample("im2col", "nn", NetworkSamples::im2col),
        new Sample("conv2d", "nn", NetworkSamples::conv2d),
        new Sample("max_pool", "nn", NetworkSamples::maxPool));
  }

  private static void softmax(SampleDevice d) {
    int rows = 5;
    int width = 150;
    float[] in = Inputs.floats(100, rows * width, -5, 5);
    long out = d.zeros(4 * rows * width);
    d.launch("softmax", 64 * rows, 64, d.buffer(in), out, width);
    float[] got = d.floats(out, rows * width);
    for (int r = 0; r < rows; r++) {
      double sum = 0;
      for (int i = 0; i < width; i++) {
        sum += Math.exp(in[r * width + i]);
      }
      for (int i = 0; i < width; i++) {
        double expected = Math.exp(in[r * width + i]) / sum;
        assertThat((double) got[r * width + i]).isCloseTo(expected, within(expected * 1e-5));
      }
    }
  }

  private static void layerNorm(SampleDevice d) {
    int rows = 64;
    int w = 24;
    float[] in = Inputs.floats(101, rows * w, -2, 2);
    float[] gain = Inputs.floats(102, w, 0.5f, 2);
    float[] bias = Inputs.floats(103, w, -1, 1);
    long out = d.zeros(4 * rows * w);
    d.launch("layer_norm", rows, 64, d.buffer(in), d.buffer(gain), d.buffer(bias), out, w);
    float[] expected = new float[rows * w];
    for (int r = 0; r < rows; r++) {
      float sum = 0;
      for (int i = 0; i < w; i++) {
        sum += in[r * w + i];
      }
      float mean = sum / w;
      float squares = 0;
      for (int i = 0; i < w; i++) {
        float delta = in[r * w + i] - mean;
        squares = Math.fma(delta, delta, squares);
      }
      float scale = 1.0f / (float) Math.sqrt(squares / w + 1.0e-5f);
      for (int i = 0; i < w; i++) {
        expected[r * w + i] = Math.fma((in[r * w + i] - mean) * scale, gain[i], bias[i]);
      }
    }
    assertThat(d.floats(out, rows * w)).containsExactly(expected);
  }

  private static void im2col(SampleDevice d) {
    int w = 20;
    int h = 18;
    int k = 3;
    int ow = w - k + 1;
    int oh = h - k + 1;
    float[] in = Inputs.floats(104, w * h, -1, 1);
    long out = d.zeros(4 * k * k * ow * oh);
    d.launch2d("im2col", 32, 16, 16, 4, d.buffer(in), out, w, h, k);
    float[] expected = new float[k * k * ow * oh];
    for (int i = 0; i < expected.length; i++) {
      int x = i % ow;
      int y = i / ow % oh;
      int tap = i / (ow * oh);
      expected[i] = in[(y + tap / k) * w + x + tap % k];
    }
    assertThat(d.floats(out, expected.length)).containsExactly(expected);
  }

  private static void conv2d(SampleDevice d) {
    int w = 16;
    int h = 12;
    int channels = 3;
    int outputs = 4;
    float[] in = Inputs.floats(105, channels * w * h, -1, 1);
    float[] weights = Inputs.floats(106, outputs * channels * 9, -1, 1);
    long out = d.zeros(4 * outputs * w * h);
    d.launch(
        "conv2d",
        new int[] {w, h, outputs},
        new int[] {8, 4, 2},
        0,
        d.buffer(in),
        d.buffer(weights),
        out,
        w,
        h,
        channels);
    float[] expected = new float[outputs * w * h];
    for (int i = 0; i < expected.length; i++) {
      int x = i % w;
      int y = i / w % h;
      int o = i / (w * h);
      float sum = 0;
      for (int tap = 0; tap < channels * 9; tap++) {
        int px = x + tap % 3 - 1;
        int py = y + tap / 3 % 3 - 1;
        boolean inside = px >= 0 && px < w && py >= 0 && py < h;
        float v = inside ? in[(tap / 9 * h + py) * w + px] : 0;
        sum = Math.fma(v, weights[o * channels * 9 + tap], sum);
      }
      expected[i] = sum;
    }
    assertThat(d.floats(out, expected.length)).containsExactly(expected);
  }

  private static void maxPool(SampleDevice d) {
    int w = 32;
    float[] in = Inputs.floats(107, w * w, -1, 1);
    long out = d.zeros(w * w);
    d.launch2d("max_pool", 16, 16, 16, 4, d.buffer(in), out, w);
    float[] expected = new float[w * w / 4];
    for (int i = 0; i < expected.length; i++) {
      int at = 2 * (i / 16) * w + 2 * (i % 16);
      expected[i] = Math.max(Math.max(in[at], in[at + 1]), Math.max(in[at + w], in[at + w + 1]));
    }
    assertThat(d.floats(out, expected.length)).containsExactly(expected);
  }
}
