package dev.warpline.nvidia.emulate;

/** Operations that compute each lane of a register from the same lane of others. */
final class Lanewise {
  /** A function of up to three words. */
  interface Words {
    int apply(int a, int b, int c);
  }

  private static final Source NONE = Source.constant(0);

  private Lanewise() {}

  static LaneOperation of(int destination, Source a, Words function) {
    return of(destination, a, NONE, NONE, function);
  }

  static LaneOperation of(int destination, Source a, Source b, Words function) {
    return of(destination, a, b, NONE, function);
  }

  static LaneOperation of(int destination, Source a, Source b, Source c, Words function) {
    return (warp, mask) -> {
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
    };
  }

  /** One of two sources, by a predicate. */
  static LaneOperation select(int destination, Source a, Source b, Form.Input choice) {
    return (warp, mask) -> {
      int[] x = a.read(warp);
      int[] y = b.read(warp);
      int chosen = choice.read(warp);
      int[] out = warp.registers[destination];
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        out[lane] = (chosen >> lane & 1) != 0 ? x[lane] : y[lane];
      }
    };
  }

  /** A function that also takes a predicate of the lane. */
  interface Chosen {
    int apply(int a, int b, int c, boolean choice);
  }

  static LaneOperation choose(
      int destination, Source a, Source b, Source c, Form.Input input, Chosen function) {
    return (warp, mask) -> {
      int[] x = a.read(warp);
      int[] y = b.read(warp);
      int[] z = c.read(warp);
      int lanes = input.read(warp);
      int[] out = warp.registers[destination];
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        out[lane] = function.apply(x[lane], y[lane], z[lane], (lanes >> lane & 1) != 0);
      }
    };
  }

  static LaneOperation choose(
      int destination, Source a, Source b, Form.Input input, Chosen function) {
    return choose(destination, a, b, NONE, input, function);
  }

  /** A comparison of 64-bit (or shorter) values of a lane. */
  interface Test {
    boolean holds(long a, long b);
  }

  /**
   * Writes a comparison, combined with a predicate, and its opposite, combined likewise.
   *
   * @param wide whether the sources are pairs of words
   */
  static LaneOperation compare(Form form, Source[] a, Source[] b, boolean wide, Test test) {
    String combination = form.instruction.oneOf("AND", "AND", "OR", "XOR");
    Form.Input input = form.input(0);
    int first = form.output(0);
    int second = form.output(1);
    return (warp, mask) -> {
      int[] x = a[0].read(warp);
      int[] y = b[0].read(warp);
      int[] xHigh = wide ? a[1].read(warp) : null;
      int[] yHigh = wide ? b[1].read(warp) : null;
      int result = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long left = wide ? Words64.join(x[lane], xHigh[lane]) : x[lane];
        long right = wide ? Words64.join(y[lane], yHigh[lane]) : y[lane];
        result |= test.holds(left, right) ? 1 << lane : 0;
      }
      int other = input.read(warp);
      warp.setPredicate(first, mask, combine(combination, result, other));
      warp.setPredicate(second, mask, combine(combination, ~result, other));
    };
  }

  static int combine(String combination, int a, int b) {
    return switch (combination) {
      case "OR" -> a | b;
      case "XOR" -> a ^ b;
      default -> a & b;
    };
  }
}
