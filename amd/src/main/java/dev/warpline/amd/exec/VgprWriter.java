package dev.warpline.amd.exec;

/** Writes results of 64 lanes into the vector register file. */
final class VgprWriter {
  private VgprWriter() {}

  static void store(int[] vgpr, int base, int[] values, long lanes) {
    if (lanes == -1L) {
      System.arraycopy(values, 0, vgpr, base, 64);
      return;
    }
    for (long left = lanes; left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      vgpr[base + lane] = values[lane];
    }
  }

  static void storeLongs(int[] vgpr, int base, long[] values, long lanes) {
    if (lanes == -1L) {
      for (int lane = 0; lane < 64; lane++) {
        vgpr[base + lane] = (int) values[lane];
        vgpr[base + 64 + lane] = (int) (values[lane] >>> 32);
      }
      return;
    }
    for (long left = lanes; left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      vgpr[base + lane] = (int) values[lane];
      vgpr[base + 64 + lane] = (int) (values[lane] >>> 32);
    }
  }

  /** Puts 16-bit results in one half of the register; the other half is kept or cleared. */
  static void mergeHalf(int[] vgpr, int base, int[] values, boolean high, boolean keepOther) {
    int shift = high ? 16 : 0;
    int kept = keepOther ? ~(0xffff << shift) : 0;
    for (int lane = 0; lane < 64; lane++) {
      values[lane] = vgpr[base + lane] & kept | (values[lane] & 0xffff) << shift;
    }
  }

  /** Puts results in the selected byte or word; the rest is zero, the sign, or kept. */
  static void mergeSdwa(int[] vgpr, int base, int[] values, int selector, int unused) {
    if (selector == 6) {
      return;
    }
    int width = selector < 4 ? 8 : 16;
    int shift = selector < 4 ? 8 * selector : 16 * (selector - 4);
    int field = (1 << width) - 1 << shift;
    for (int lane = 0; lane < 64; lane++) {
      int value = values[lane] << shift & field;
      values[lane] =
          switch (unused) {
            case 0 -> value;
            // the sign fills the bits above the field; those below are zero
            case 1 -> value << 32 - width - shift >> 32 - width - shift;
            default -> vgpr[base + lane] & ~field | value;
          };
    }
  }
}
