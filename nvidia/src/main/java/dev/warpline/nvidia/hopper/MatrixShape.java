package dev.warpline.nvidia.hopper;

/**
 * Shape of a warpgroup matrix product, from its mnemonic: {@code HGMMA.64x128x16.F32.BF16}.
 *
 * @param m rows of the product, 64
 * @param n columns, 8 to 256
 * @param k depth
 */
public record MatrixShape(int m, int n, int k) {
  /** Reads the shape out of a mnemonic, or returns null if it has none. */
  public static MatrixShape of(String mnemonic) {
    for (String part : mnemonic.split("\\.", -1)) {
      String[] sides = part.split("x", -1);
      if (sides.length == 3) {
        try {
          return new MatrixShape(
              Integer.parseInt(sides[0]), Integer.parseInt(sides[1]), Integer.parseInt(sides[2]));
        } catch (NumberFormatException e) {
          return null;
        }
      }
    }
    return null;
  }
}
