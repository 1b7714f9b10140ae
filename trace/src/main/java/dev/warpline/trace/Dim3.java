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

  // Written out: Java puts a record's own together at their first use, which takes longer than a
  // small simulation.
  @Override
  public boolean equals(Object other) {
    return other instanceof Dim3 that && x == that.x && y == that.y && z == that.z;
  }

  @Override
  public int hashCode() {
    return (x * 31 + y) * 31 + z;
  }

  @Override
  public String toString() {
    return "(" + x + "," + y + "," + z + ")";
  }
}
