package dev.warpline.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Damages input as transmission, editors and unlucky tools do. */
final class Mutator {
  private static final List<String> WORDS =
      List.of(
          "#BEGIN_TB\n",
          "#END_TB\n",
          "thread block = 0,0,0\n",
          "thread block = 99999,0,0\n",
          "warp = 1\n",
          "warp = -1\n",
          "insts = 3\n",
          "insts = 99999999999999999999\n",
          "-grid dim = (1000000,1,1)\n",
          "-grid dim = (2147483647,65535,65535)\n",
          "-nregs = -1\n",
          "-shmem = 128 # bytes\n",
          "\ufeff",
          "\t",
          "../kernel-1.traceg\n",
          "-enable lineinfo = 1\n",
          "0010 ffffffff 0 EXIT 0 0 0\n",
          " 1 0x7fffffffffffffff 9223372036854775807",
          " 2 0x0",
          " 3 1000000 0x0",
          " 4 0x0 4 1 1 1",
          " Val 32 0x1",
          " 999 ",
          " -1 ",
          "R256",
          "UR63",
          "\n",
          "\r",
          "\0",
          " ",
          "\u00e9");

  private final Random random;

  Mutator(Random random) {
    this.random = random;
  }

  /** A damaged copy. */
  byte[] mutate(byte[] content) {
    byte[] result = content.clone();
    for (int i = 1 + random.nextInt(4); i > 0 && result.length > 0; i--) {
      result = once(result);
    }
    return result;
  }

  private byte[] once(byte[] content) {
    int at = random.nextInt(content.length);
    int length = Math.min(content.length - at, 1 + random.nextInt(random.nextBoolean() ? 4 : 200));
    return switch (random.nextInt(7)) {
      case 0 -> {
        content[at] ^= (byte) (1 << random.nextInt(8));
        yield content;
      }
      case 1 -> {
        content[at] = (byte) random.nextInt(256);
        yield content;
      }
      case 2 -> replace(content, at, length, new byte[0]);
      case 3 -> replace(content, at, 0, Arrays.copyOfRange(content, at, at + length));
      case 4 ->
          replace(
              content,
              at,
              random.nextInt(3) == 0 ? length : 0,
              WORDS.get(random.nextInt(WORDS.size())).getBytes(StandardCharsets.UTF_8));
      case 5 -> random.nextInt(4) == 0 ? Arrays.copyOf(content, at) : content;
      default -> digit(content, at);
    };
  }

  /** Changes the next digit, so that the text stays well-formed but says something else. */
  private byte[] digit(byte[] content, int from) {
    for (int at = from; at < content.length; at++) {
      if (content[at] >= '0' && content[at] <= '9') {
        content[at] = (byte) ('0' + random.nextInt(10));
        break;
      }
    }
    return content;
  }

  private static byte[] replace(byte[] content, int at, int length, byte[] with) {
    byte[] result = new byte[content.length - length + with.length];
    System.arraycopy(content, 0, result, 0, at);
    System.arraycopy(with, 0, result, at, with.length);
    System.arraycopy(content, at + length, result, at + with.length, content.length - at - length);
    return result;
  }
}
