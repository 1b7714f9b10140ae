package dev.warpline.nvidia.emulate;

/** Writes a comparison of sources, combined with a predicate, and its opposite; see LoopCopies. */
final class CompareLoop implements LaneOperation {
  private final Source a;
  private final Source b;
  private final Source aHigh;
  private final Source bHigh;
  private final Form.Input input;
  private final int first;
  private final int second;
  private final String combination;
  private final Lanewise.Test test;

  /**
   * @param aHigh upper words of the first source, null if the sources are words
   * @param first predicate of the comparison
   * @param second predicate of its opposite
   */
  CompareLoop(
      Source a,
      Source b,
      Source aHigh,
      Source bHigh,
      Form.Input input,
      int first,
      int second,
      String combination,
      Lanewise.Test test) {
    this.a = a;
    this.b = b;
    this.aHigh = aHigh;
    this.bHigh = bHigh;
    this.input = input;
    this.first = first;
    this.second = second;
    this.combination = combination;
    this.test = test;
  }

  @Override
  public void execute(Warp warp, int mask) {
    int[] x = a.read(warp);
    int[] y = b.read(warp);
    int result = 0;
    if (aHigh != null) {
      int[] xHigh = aHigh.read(warp);
      int[] yHigh = bHigh.read(warp);
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long left = Words64.join(x[lane], xHigh[lane]);
        long right = Words64.join(y[lane], yHigh[lane]);
        result |= test.holds(left, right) ? 1 << lane : 0;
      }
    } else if (mask == -1) {
      for (int lane = 0; lane < Warp.LANES; lane++) {
        result |= test.holds(x[lane], y[lane]) ? 1 << lane : 0;
      }
    } else {
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        result |= test.holds(x[lane], y[lane]) ? 1 << lane : 0;
      }
    }
    int other = input.read(warp);
    warp.setPredicate(first, mask, Lanewise.combine(combination, result, other));
    warp.setPredicate(second, mask, Lanewise.combine(combination, ~result, other));
  }
}
