package dev.warpline.amd.cu;

/**
 * Some of a compute unit's waves. The first 64 are bits of a field, so that a compute unit with no
 * more of them, as every real one is, pays for one word and nothing else.
 */
final class WaveSet {
  /** Waves 0 to 63. */
  private long low;

  /** The waves behind them, 64 to a word; null if there are none. */
  private final long[] high;

  /**
   * @param waves of the compute unit
   */
  WaveSet(int waves) {
    high = waves <= Long.SIZE ? null : new long[words(waves) - 1];
  }

  /** Words that hold a bit for each of these waves. */
  static int words(int waves) {
    return (waves + Long.SIZE - 1) / Long.SIZE;
  }

  void add(Wavefront wave) {
    if (wave.word == 0) {
      low |= wave.bit;
    } else {
      high[wave.word - 1] |= wave.bit;
    }
  }

  void remove(Wavefront wave) {
    if (wave.word == 0) {
      low &= ~wave.bit;
    } else {
      high[wave.word - 1] &= ~wave.bit;
    }
  }

  boolean contains(Wavefront wave) {
    return (word(wave.word) & wave.bit) != 0;
  }

  boolean isEmpty() {
    return low == 0 && firstHigh(0) < 0;
  }

  /** The first wave's slot, or -1. */
  int first() {
    return low != 0 ? Long.numberOfTrailingZeros(low) : firstHigh(0);
  }

  /** The slot of the next wave behind a slot, or -1. */
  int after(int slot) {
    if (slot < Long.SIZE) {
      // Shifting by 64 would shift by 0.
      long rest = low & -2L << slot;
      return rest != 0 ? Long.numberOfTrailingZeros(rest) : firstHigh(0);
    }
    int word = slot / Long.SIZE - 1;
    long rest = high[word] & -2L << slot;
    return rest != 0
        ? (word + 1) * Long.SIZE + Long.numberOfTrailingZeros(rest)
        : firstHigh(word + 1);
  }

  /** Takes the first wave out; its slot, or -1. */
  int take() {
    if (low != 0) {
      int slot = Long.numberOfTrailingZeros(low);
      low &= low - 1;
      return slot;
    }
    int slot = firstHigh(0);
    if (slot >= 0) {
      high[slot / Long.SIZE - 1] &= ~(1L << slot);
    }
    return slot;
  }

  private int firstHigh(int from) {
    if (high == null) {
      return -1;
    }
    for (int word = from; word < high.length; word++) {
      if (high[word] != 0) {
        return (word + 1) * Long.SIZE + Long.numberOfTrailingZeros(high[word]);
      }
    }
    return -1;
  }

  /** 64 of the waves as bits: the first word has waves 0 to 63. */
  long word(int word) {
    return word == 0 ? low : high[word - 1];
  }

  /** Adds some of the 64 waves of a word. */
  void add(int word, long bits) {
    if (word == 0) {
      low |= bits;
    } else {
      high[word - 1] |= bits;
    }
  }

  void addAll(WaveSet others) {
    low |= others.low;
    for (int word = 0; high != null && word < high.length; word++) {
      high[word] |= others.high[word];
    }
  }

  /** Becomes those of a set that are not in another; whether there are any. */
  boolean becomes(WaveSet all, WaveSet without) {
    low = all.low & ~without.low;
    long any = low;
    for (int word = 0; high != null && word < high.length; word++) {
      high[word] = all.high[word] & ~without.high[word];
      any |= high[word];
    }
    return any != 0;
  }

  /** Whether a set has a wave that another has not. */
  static boolean differs(WaveSet all, WaveSet without) {
    if ((all.low & ~without.low) != 0) {
      return true;
    }
    for (int word = 0; all.high != null && word < all.high.length; word++) {
      if ((all.high[word] & ~without.high[word]) != 0) {
        return true;
      }
    }
    return false;
  }
}
