package dev.warpline.nvidia.emulate;

/**
 * Where the elements of a factor lie in registers: a lane holds a register's worth of neighbours
 * along the depth, four lanes a row, then the next register; rows 8 to 15 have registers of their
 * own.
 *
 * @param bits of an element
 * @param rows rows of a left or columns of a right factor, 8 or 16
 */
record Fragment(int bits, int rows) {
  /**
   * Reads all elements.
   *
   * @param first register
   * @param into row after row
   */
  void read(Warp warp, int first, int depth, int[] into) {
    int perRegister = 32 / bits;
    int ones = bits == 32 ? -1 : (1 << bits) - 1;
    int groups = rows / 8;
    int registers = groups * depth / (4 * perRegister);
    for (int r = 0; r < registers; r++) {
      int[] words = warp.registers[first == Warp.ZERO ? first : first + r];
      int k = r / groups * 4 * perRegister;
      int high = r % groups * 8;
      for (int lane = 0; lane < Warp.LANES; lane++) {
        int to = (high + (lane >> 2)) * depth + k + (lane & 3) * perRegister;
        int word = words[lane];
        for (int e = 0; e < perRegister; e++) {
          into[to + e] = word >>> bits * e & ones;
        }
      }
    }
  }
}
