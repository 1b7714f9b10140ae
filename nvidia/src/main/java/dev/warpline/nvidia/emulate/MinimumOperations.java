package dev.warpline.nvidia.emulate;

/**
 * Least and greatest of integers, of 32 bits or two of 16 at once: VIMNMX, and with a sum or a
 * third number.
 */
final class MinimumOperations {
  private MinimumOperations() {}

  /** How two numbers of a width are compared and what becomes of the result. */
  private record Kind(boolean halves, boolean unsigned, boolean relu) {
    int choose(int a, int b, boolean least) {
      if (!halves) {
        return whole(a, b, least);
      }
      int low = half(a, b, least);
      int high = half(a >>> 16, b >>> 16, least);
      return high << 16 | low & 0xffff;
    }

    private int whole(int a, int b, boolean least) {
      boolean less = unsigned ? Integer.compareUnsigned(a, b) < 0 : a < b;
      return less == least ? a : b;
    }

    private int half(int a, int b, boolean least) {
      int x = unsigned ? a & 0xffff : (short) a;
      int y = unsigned ? b & 0xffff : (short) b;
      return least ? Math.min(x, y) : Math.max(x, y);
    }

    /** Negative numbers become zero where wanted. */
    int finish(int value) {
      return relu ? choose(value, 0, false) : value;
    }

    int add(int a, int b) {
      return halves ? (a >>> 16) + (b >>> 16) << 16 | a + b & 0xffff : a + b;
    }

    /** Whether the first number of a half, or of the whole, is the one chosen. */
    boolean first(int a, int b, boolean least, boolean upper) {
      if (!halves) {
        return a == b || whole(a, b, least) == a;
      }
      int x = upper ? a >>> 16 : a;
      int y = upper ? b >>> 16 : b;
      return (half(x, y, least) & 0xffff) == (x & 0xffff);
    }
  }

  static LaneOperation of(Form form, String mnemonic) {
    SassInstruction instruction = form.instruction;
    instruction.allow("U32", "S32", "S16x2", "U16x2", "RELU");
    Kind kind =
        new Kind(
            instruction.has("S16x2") || instruction.has("U16x2"),
            instruction.has("U32") || instruction.has("U16x2"),
            instruction.has("RELU"));
    if (kind.halves() && form.sources.stream().anyMatch(o -> o.negative() && !o.integer())) {
      throw instruction.unsupported("a minus before two numbers of 16 bits is not emulated");
    }
    Source third = mnemonic.endsWith("IMNMX") ? null : form.integer(2);
    Lanewise.Chosen function =
        switch (mnemonic) {
          case "VIMNMX3" ->
              (a, b, c, least) -> kind.finish(kind.choose(kind.choose(a, b, least), c, least));
          case "VIADDMNMX" ->
              (a, b, c, least) -> kind.finish(kind.choose(kind.add(a, b), c, least));
          default -> (a, b, c, least) -> kind.finish(kind.choose(a, b, least));
        };
    Source first = form.integer(0);
    Source second = form.integer(1);
    LaneOperation words =
        third == null
            ? Lanewise.choose(form.destination, first, second, form.input(0), function)
            : Lanewise.choose(form.destination, first, second, third, form.input(0), function);
    if (form.outputs.isEmpty()) {
      return words;
    }
    Form.Input choice = form.input(0);
    return (warp, mask) -> {
      int[] a = first.read(warp).clone();
      int[] b = second.read(warp);
      int least = choice.read(warp);
      int low = 0;
      int high = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        boolean smaller = (least >> lane & 1) != 0;
        low |= kind.first(a[lane], b[lane], smaller, false) ? 1 << lane : 0;
        high |= kind.first(a[lane], b[lane], smaller, true) ? 1 << lane : 0;
      }
      words.execute(warp, mask);
      warp.setPredicate(form.output(0), mask, low);
      warp.setPredicate(form.output(1), mask, high);
    };
  }
}
