package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** scratch.cl. */
final class PrivateSamples {
  private PrivateSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("private_array", "scratch", PrivateSamples::privateArray),
        new Sample("private_bytes", "scratch", PrivateSamples::privateBytes),
        new Sample("generic_pointer", "scratch", PrivateSamples::genericPointer),
        new Sample("divergent_calls", "scratch", PrivateSamples::divergentCalls));
  }

  private static void privateArray(SampleDevice d) {
    int n = 192;
    int[] in = Inputs.ints(120, n, 0, 1000);
    long out = d.zeros(4 * n);
    d.launch("private_array", n, 64, d.buffer(in), out, n);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      int[] stack = new int[32];
      for (int k = 0; k < 32; k++) {
        stack[k] = in[(i + k) % n];
      }
      for (int k = 0; k < 64; k++) {
        stack[stack[k * 7 + i & 31] & 31] += k;
      }
      for (int k = 0; k < 32; k++) {
        expected[i] = expected[i] * 31 + stack[k];
      }
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }

  private static void privateBytes(SampleDevice d) {
    int n = 128;
    int length = 40;
    byte[] in = Inputs.anyBytes(121, n * length);
    long out = d.zeros(4 * n);
    d.launch("private_bytes", n, 64, d.buffer(in), out, length);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      byte[] seen = new byte[64];
      for (int k = 0; k < 64; k++) {
        seen[k] = (byte) k;
      }
      for (int k = 0; k < length; k++) {
        int v = in[i * length + k] & 63;
        byte t = seen[v];
        seen[v] = seen[k & 63];
        seen[k & 63] = t;
      }
      int hash = (int) 2166136261L;
      for (byte b : seen) {
        hash = (hash ^ b) * 16777619;
      }
      expected[i] = hash;
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }

  private static void genericPointer(SampleDevice d) {
    int n = 192;
    int[] in = Inputs.ints(122, n, 0, 1000);
    long out = d.zeros(4 * n);
    d.launch("generic_pointer", n, 64, d.buffer(in), out);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < 8; k++) {
        int v =
            switch (in[i] % 3) {
              case 0 -> in[i] + k;
              case 1 -> in[i / 8 * 8 + k] * 3;
              default -> in[i / 8 * 8 + k];
            };
        expected[i] += v * (k + 1);
      }
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }

  private static int collatz(int start) {
    int n = 0;
    for (int x = start; x != 1; n++) {
      x = (x & 1) != 0 ? 3 * x + 1 : x >>> 1;
    }
    return n;
  }

  private static void divergentCalls(SampleDevice d) {
    int n = 128;
    int[] in = Inputs.ints(123, n, 1, 1000);
    long out = d.zeros(4 * n);
    d.launch("divergent_calls", n, 64, d.buffer(in), out);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      int x = in[i];
      expected[i] =
          switch (x % 3) {
            case 0 -> collatz(x + 1);
            case 1 -> collatz(x) + collatz(x + 2);
            default -> 5 * x;
          };
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }
}
