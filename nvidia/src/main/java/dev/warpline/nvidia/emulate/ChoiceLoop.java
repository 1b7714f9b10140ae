package dev.warpline.nvidia.emulate;

/** As WordLoop, with a predicate of the lane. */
final class ChoiceLoop implements LaneOperation {
  private final int destination;
  private final Source a;
  private final Source b;
  private final Source c;
  private final Form.Input input;
  private final Lanewise.Chosen function;

  ChoiceLoop(
      int destination, Source a, Source b, Source c, Form.Input input, Lanewise.Chosen function) {
    this.destination = destination;
    this.a = a;
    this.b = b;
    this.c = c;
    this.input = input;
    this.function = function;
  }

  @Override
  public void execute(Warp warp, int mask) {
    int[] x = a.read(warp);
    int[] y = b.read(warp);
    int[] z = c.read(warp);
    int lanes = input.read(warp);
    int[] out = warp.registers[destination];
    for (int m = mask; m != 0; m &= m - 1) {
      int lane = Integer.numberOfTrailingZeros(m);
      out[lane] = function.apply(x[lane], y[lane], z[lane], (lanes >> lane & 1) != 0);
    }
  }
}
