package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/** bytes.cl. */
final class ByteSamples {
  private ByteSamples() {}

  static List<Sample> list() {
    return List.of(
        new Sample("make_sbox", "bytes", ByteSamples::sbox),
        new Sample("aes_rounds", "bytes", ByteSamples::aes),
        new Sample("crc32", "bytes", ByteSamples::crc32),
        new Sample("gray", "bytes", ByteSamples::gray),
        new Sample("sha256_block", "bytes", ByteSamples::sha256));
  }

  private static int times(int a, int b) {
    int r = 0;
    for (int i = 0; i < 8; i++) {
      r ^= (b >> i & 1) * (a << i);
    }
    for (int i = 15; i >= 8; i--) {
      r ^= (r >> i & 1) * (0x11b << i - 8);
    }
    return r;
  }

  private static byte[] box() {
    byte[] box = new byte[256];
    for (int x = 0; x < 256; x++) {
      int inverse = 0;
      for (int y = 0; y < 256; y++) {
        inverse = times(x, y) == 1 ? y : inverse;
      }
      int r = 0x63;
      for (int bit = 0; bit < 8; bit++) {
        int parity = 0;
        for (int k : new int[] {0, 4, 5, 6, 7}) {
          parity ^= inverse >> (bit + k) % 8 & 1;
        }
        r ^= parity << bit;
      }
      box[x] = (byte) r;
    }
    return box;
  }

  private static void sbox(SampleDevice d) {
    long out = d.zeros(256);
    d.launch("make_sbox", 256, 64, out);
    byte[] box = box();
    assertThat(box[0x53]).isEqualTo((byte) 0xed); // the example in the standard
    assertThat(d.bytes(out, 256)).containsExactly(box);
  }

  private static void aes(SampleDevice d) {
    int n = 96;
    int rounds = 3;
    byte[] in = Inputs.anyBytes(90, 16 * n);
    byte[] keys = Inputs.anyBytes(91, 16 * (rounds + 1));
    byte[] box = box();
    long out = d.zeros(16 * n);
    d.launch("aes_rounds", n, 32, d.buffer(in), out, d.buffer(box), d.buffer(keys), rounds);
    byte[] expected = new byte[16 * n];
    for (int i = 0; i < n; i++) {
      byte[] state = Arrays.copyOfRange(in, 16 * i, 16 * i + 16);
      for (int k = 0; k < 16; k++) {
        state[k] ^= keys[k];
      }
      for (int r = 1; r <= rounds; r++) {
        byte[] t = new byte[16];
        for (int column = 0; column < 4; column++) {
          for (int row = 0; row < 4; row++) {
            t[4 * column + row] = box[state[4 * ((column + row) % 4) + row] & 0xff];
          }
        }
        for (int column = 0; column < 4; column++) {
          for (int row = 0; row < 4; row++) {
            int[] coefficients = {2, 3, 1, 1};
            int sum = 0;
            for (int k = 0; k < 4; k++) {
              sum ^= times(t[4 * column + k] & 0xff, coefficients[(k - row + 4) % 4]);
            }
            state[4 * column + row] = (byte) (sum ^ keys[16 * r + 4 * column + row]);
          }
        }
      }
      System.arraycopy(state, 0, expected, 16 * i, 16);
    }
    assertThat(d.bytes(out, 16 * n)).containsExactly(expected);
  }

  private static void crc32(SampleDevice d) {
    int n = 64;
    int length = 33;
    byte[] in = Inputs.anyBytes(92, n * length);
    long out = d.zeros(4 * n);
    d.launch("crc32", n, 64, d.buffer(in), out, length);
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      CRC32 crc = new CRC32();
      crc.update(in, i * length, length);
      expected[i] = (int) crc.getValue();
    }
    assertThat(d.ints(out, n)).containsExactly(expected);
  }

  private static void gray(SampleDevice d) {
    int n = 500;
    byte[] in = Inputs.anyBytes(93, 4 * n);
    long out = d.zeros(n);
    d.launch("gray", 512, 64, d.buffer(in), out, n);
    byte[] expected = new byte[n];
    for (int i = 0; i < n; i++) {
      int r = in[4 * i] & 0xff;
      int g = in[4 * i + 1] & 0xff;
      int b = in[4 * i + 2] & 0xff;
      expected[i] = (byte) (r * 77 + g * 151 + b * 28 >> 8);
    }
    assertThat(d.bytes(out, n)).containsExactly(expected);
  }

  private static void sha256(SampleDevice d) {
    int n = 64;
    byte[] blocks = new byte[64 * n];
    byte[] expected = new byte[32 * n];
    for (int i = 0; i < n; i++) {
      byte[] message = Inputs.anyBytes(94 + i, i % 56);
      ByteBuffer block = ByteBuffer.wrap(blocks, 64 * i, 64);
      block.put(message).put((byte) 0x80);
      block.putLong(64 * i + 56, 8L * message.length);
      byte[] digest = sha256(message);
      for (int k = 0; k < 32; k++) {
        expected[32 * i + k] = digest[k / 4 * 4 + 3 - k % 4]; // the kernel stores words
      }
    }
    long out = d.zeros(32 * n);
    d.launch("sha256_block", n, 64, d.buffer(blocks), out);
    assertThat(d.bytes(out, 32 * n)).containsExactly(expected);
  }

  private static byte[] sha256(byte[] message) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(message);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
