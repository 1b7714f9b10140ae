package dev.warpline.trace;

/** A three-dimensional extent or coordinate. */
public record Dim3(int x, int y, int z) {
  public static final Dim3 ONE = new Dim3(1, 1, 1);

  /** The number of points of an extent. */
  public long count() {
    return (long) x * y * z;
  }

  /** The position of a coordinate in this extent, x fastest. */
  public long linear(int cx, int cy, int cz) {
    return ((long) cz * y + cy) * x + cx;
  }

  @Override
  public String toString() {
    return "(" + x + "," + y + "," + z + ")";
  }
}
