package dev.warpline.nvidia.emulate;

/** Computes each lane of a register from the same lane of three sources; see LoopCopies. */
final class WordLoop implements LaneOperation {
  private final int destination;
  private final Source a;
  private final Source b;
  private final Source c;
  private final Lanewise.Words function;

  WordLoop(int destination, Source a, Source b, Source c, Lanewise.Words function) {
    this.destination = destination;
    this.a = a;
    this.b = b;
    this.c = c;
    this.function = function;
  }

  @Override
  public void execute(Warp warp, int mask) {
    int[] x = a.read(warp);
    int[] y = b.read(warp);
    int[] z = c.read(warp);
    int[] out = warp.registers[destination];
    if (mask == -1) {
      for (int lane = 0; lane < Warp.LANES; lane++) {
        out[lane] = function.apply(x[lane], y[lane], z[lane]);
      }
    } else {
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        out[lane] = function.apply(x[lane], y[lane], z[lane]);
      }
    }
  }
}
