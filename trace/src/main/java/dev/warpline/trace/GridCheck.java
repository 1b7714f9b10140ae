package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;

/** Compares the grid in a kernel's header with the blocks that its file has. */
final class GridCheck {
  /** The shortest thing that says a block is there: {@code thread block = 0,0,0} or a raw line. */
  private static final int LEAST_BYTES = 21;

  /** No compression that is read makes text smaller than this. */
  private static final long MOST_RATIO = 1 << 15;

  /** So many blocks can be asked for, one by one, without anybody noticing. */
  private static final long FEW = 1 << 24;

  private GridCheck() {}

  /**
   * Refuses a grid with more blocks than the text of a file can name, before anybody counts to it.
   *
   * @param bytes of the file
   * @param packed whether it is compressed
   */
  static void refuseBeyond(String file, KernelHeader header, long bytes, boolean packed)
      throws TraceFormatException {
    long most = bytes / LEAST_BYTES + 1;
    if (header.grid().count() / (packed ? MOST_RATIO : 1) > most) {
      throw tooMany(file, header, "a file of " + bytes + " bytes");
    }
  }

  /** The same for a file whose index says how many blocks there are. */
  static void refuseBeyond(String file, KernelHeader header, long blocks)
      throws TraceFormatException {
    if (header.grid().count() > Math.max(FEW, blocks)) {
      throw tooMany(file, header, "a file with " + blocks + " thread blocks");
    }
  }

  private static TraceFormatException tooMany(String file, KernelHeader header, String what) {
    return new TraceFormatException(
        new Problem(
            file,
            0,
            0,
            "the grid " + header.grid() + " of " + header.grid().count() + " thread blocks",
            "a grid that fits into " + what,
            Skipped.KERNEL));
  }

  /** Reports that there are fewer blocks than the grid has. */
  static void reportMissing(
      String file, KernelHeader header, long blocks, long firstMissing, Diagnostics diagnostics)
      throws TraceFormatException {
    long all = header.grid().count();
    if (blocks < all) {
      diagnostics.report(
          new Problem(
              file,
              0,
              0,
              blocks
                  + " of "
                  + all
                  + " thread blocks, the first missing is "
                  + name(header.grid(), firstMissing),
              "all blocks of the grid " + header.grid(),
              Skipped.NOTHING));
    }
  }

  /** A block as traces name it. */
  static String name(Dim3 grid, long id) {
    return id % grid.x() + "," + id / grid.x() % grid.y() + "," + id / grid.x() / grid.y();
  }
}
