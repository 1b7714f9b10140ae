package dev.warpline.nvidia.emulate;

/** Operations that compute each lane of a register from the same lane of others. */
final class Lanewise {
  /** A function of up to three words. */
  interface Words {
    int apply(int a, int b, int c);
  }

  private static final Source NONE = Source.constant(0);

  private static final LoopCopies WORDS =
      new LoopCopies(
          WordLoop.class, int.class, Source.class, Source.class, Source.class, Words.class);

  private static final LoopCopies CHOICES =
      new LoopCopies(
          ChoiceLoop.class,
          int.class,
          Source.class,
          Source.class,
          Source.class,
          Form.Input.class,
          Chosen.class);

  private static final LoopCopies COMPARISONS =
      new LoopCopies(
          CompareLoop.class,
          Source.class,
          Source.class,
          Source.class,
          Source.class,
          Form.Input.class,
          int.class,
          int.class,
          String.class,
          Test.class);

  private Lanewise() {}

  static LaneOperation of(int destination, Source a, Words function) {
    return of(destination, a, NONE, NONE, function);
  }

  static LaneOperation of(int destination, Source a, Source b, Words function) {
    return of(destination, a, b, NONE, function);
  }

  static LaneOperation of(int destination, Source a, Source b, Source c, Words function) {
    return WORDS.of(function, destination, a, b, c, function);
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
    return CHOICES.of(function, destination, a, b, c, input, function);
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
    return COMPARISONS.of(
        test,
        a[0],
        b[0],
        wide ? a[1] : null,
        wide ? b[1] : null,
        form.input(0),
        form.output(0),
        form.output(1),
        form.instruction.oneOf("AND", "AND", "OR", "XOR"),
        test);
  }

  static int combine(String combination, int a, int b) {
    return switch (combination) {
      case "OR" -> a | b;
      case "XOR" -> a ^ b;
      default -> a & b;
    };
  }
}
