package dev.warpline.amd.memory;

/** Lines dealt out in turn to banks, slices or channels. Dividing by a power of two is a shift. */
public final class Interleave {
  private Interleave() {}

  /** Which of so many parts has a line. */
  public static int part(long line, int parts) {
    return (int) ((parts & parts - 1) == 0 ? line & parts - 1 : line % parts);
  }

  /** The number of a line among those of its part. */
  public static long number(long line, int parts) {
    return (parts & parts - 1) == 0 ? line >> Integer.numberOfTrailingZeros(parts) : line / parts;
  }
}
