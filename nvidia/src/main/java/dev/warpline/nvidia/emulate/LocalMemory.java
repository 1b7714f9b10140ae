package dev.warpline.nvidia.emulate;

import java.util.Arrays;

/** Local memory of the lanes of a warp. It hangs from the top of a window of 16 MiB. */
final class LocalMemory {
  static final int WINDOW = 1 << 24;

  private static final int MOST_WORDS = 1 << 17;

  private int[][] words = new int[0][];

  void clear() {
    if (words.length > 0) {
      words = new int[0][];
    }
  }

  void hash(StateHash hash) {
    for (int[] row : words) {
      hash.add(row == null ? 0 : 1);
      hash.add(row, row == null ? 0 : row.length);
    }
  }

  private int[] row(int address) {
    int word = (WINDOW - 1 - address) >> 2;
    if (address < 0 || word < 0 || word >= MOST_WORDS) {
      throw new AddressFault(
          String.format(
              "accesses local memory at 0x%x, expected 0x%x to 0x%x",
              address, WINDOW - 4 * MOST_WORDS, WINDOW - 1));
    }
    if (word >= words.length) {
      words = Arrays.copyOf(words, Math.max(word + 1, words.length * 2));
    }
    if (words[word] == null) {
      words[word] = new int[Warp.LANES];
    }
    return words[word];
  }

  int load(int address, int lane, int bytes, boolean signed) {
    int word = row(address)[lane] >> 8 * (address & 3);
    return MemoryInstruction.extend(word, bytes, signed);
  }

  void store(int address, int lane, int bytes, int value) {
    int[] row = row(address);
    int shift = 8 * (address & 3);
    int mask = bytes >= 4 ? -1 : (1 << 8 * bytes) - 1 << shift;
    row[lane] = row[lane] & ~mask | value << shift & mask;
  }
}
