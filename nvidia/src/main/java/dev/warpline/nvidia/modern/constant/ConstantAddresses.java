package dev.warpline.nvidia.modern.constant;

import dev.warpline.nvidia.emulate.ConstantIndexProbe;
import java.util.Arrays;

/**
 * What the constant loads with a register index of one block read, warp by warp in the order of the
 * trace: how many words, and their lines. Written before a block is placed, read while it runs.
 */
public final class ConstantAddresses implements ConstantIndexProbe.Listener {
  private static final int LINE_SHIFT = 6;
  private static final int LANES = 32;

  /** Of each load: words, lines, then the lines. */
  private int[] data = new int[64];

  private int size;
  private int[] start = new int[LANES];
  private int begun;
  private final FewNumbers seenWords = new FewNumbers();
  private final FewNumbers seenLines = new FewNumbers();

  /** A set of at most as many numbers as a warp has lanes. */
  private static final class FewNumbers {
    private static final int PLACES = 2 * LANES;

    private final int[] number = new int[PLACES];

    /** Places that are taken. */
    private long taken;

    void clear() {
      taken = 0;
    }

    /** Adds a number; whether it was not there. */
    boolean add(int wanted) {
      int at = wanted * 0x9E3779B9 >>> 26;
      for (; (taken >>> at & 1) != 0; at = at + 1 & PLACES - 1) {
        if (number[at] == wanted) {
          return false;
        }
      }
      number[at] = wanted;
      taken |= 1L << at;
      return true;
    }
  }

  @Override
  public void load(int warp, int row, int mask, int bank, int[] offsets) {
    begin(warp);
    if (size + 2 + LANES > data.length) {
      data = Arrays.copyOf(data, 2 * data.length);
    }
    int words = 0;
    int lines = 0;
    int last = ~offsets[Integer.numberOfTrailingZeros(mask)];
    seenWords.clear();
    seenLines.clear();
    for (int m = mask; m != 0; m &= m - 1) {
      int offset = offsets[Integer.numberOfTrailingZeros(m)];
      if (offset >> 2 == last >> 2) {
        continue;
      }
      last = offset;
      words += seenWords.add(offset >> 2) ? 1 : 0;
      if (seenLines.add(offset >> LINE_SHIFT)) {
        // An index that was made up may lie outside of the 64 KB of a bank.
        data[size + 2 + lines++] = bank << 16 | (offset & 0xffff) >> LINE_SHIFT;
      }
    }
    data[size] = words;
    data[size + 1] = lines;
    size += 2 + lines;
  }

  private void begin(int warp) {
    if (warp >= start.length) {
      start = Arrays.copyOf(start, 2 * warp);
    }
    while (begun <= warp) {
      start[begun++] = size;
    }
  }

  /** Where a warp's first load stands. */
  int first(int warp) {
    return warp < begun ? start[warp] : size;
  }

  /** Whether a load stands there. */
  boolean has(int at) {
    return at < size;
  }

  int words(int at) {
    return data[at];
  }

  int lines(int at) {
    return data[at + 1];
  }

  int line(int at, int index) {
    return data[at + 2 + index];
  }

  /** Where the load after one stands. */
  int next(int at) {
    return at + 2 + data[at + 1];
  }
}
