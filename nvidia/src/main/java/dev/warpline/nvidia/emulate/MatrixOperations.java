package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;

/** Matrix products of a warp. */
final class MatrixOperations {
  private static final int ROWS = 16;
  private static final int COLUMNS = 8;

  /** Bits after the point of a single-precision number, and what tensor cores keep beyond. */
  private static final int SINGLE_BITS = 23;

  private static final int EXTRA_BITS = 2;

  private MatrixOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    return switch (mnemonic) {
      case "HMMA" -> product(Form.of(instruction));
      case "IMMA" -> integerProduct(Form.of(instruction));
      case "MOVM" -> transpose(Form.of(instruction));
      default -> null;
    };
  }

  private static int register(Form form, int source) {
    Operand operand = form.source(source);
    if (!operand.is(Kind.REGISTER)) {
      throw form.instruction.unsupported("expected registers");
    }
    return operand.index();
  }

  private static int[] row(Warp warp, int register, int distance) {
    return warp.registers[register == Warp.ZERO ? Warp.ZERO : register + distance];
  }

  /** Element types of the factors: how many bits, and what they mean. */
  private enum Factor {
    HALF,
    BFLOAT,
    TF32
  }

  private static LaneOperation product(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("16816", "1688", "1684", "F32", "F16", "BF16", "TF32");
    Factor type =
        instruction.has("BF16")
            ? Factor.BFLOAT
            : instruction.has("TF32") ? Factor.TF32 : Factor.HALF;
    int depth = instruction.has("16816") ? 16 : instruction.has("1684") ? 4 : 8;
    boolean single = instruction.has("F32");
    // A register holds two halves or one tf32; each lane holds a quarter of a row of eight.
    int perRegister = type == Factor.TF32 ? 1 : 2;
    int groups = depth / (4 * perRegister);
    int a = register(form, 0);
    int b = register(form, 1);
    int c = register(form, 2);
    double[] left = new double[ROWS * depth];
    double[] right = new double[COLUMNS * depth];
    return (warp, mask) -> {
      for (int lane = 0; lane < Warp.LANES; lane++) {
        int group = lane >> 2;
        int quarter = lane & 3;
        for (int g = 0; g < groups; g++) {
          for (int e = 0; e < perRegister; e++) {
            int k = g * 4 * perRegister + quarter * perRegister + e;
            left[group * depth + k] = element(row(warp, a, 2 * g)[lane], e, type);
            left[(group + 8) * depth + k] = element(row(warp, a, 2 * g + 1)[lane], e, type);
            right[group * depth + k] = element(row(warp, b, g)[lane], e, type);
          }
        }
      }
      int[][] sums = new int[single ? 4 : 2][Warp.LANES];
      for (int lane = 0; lane < Warp.LANES; lane++) {
        for (int i = 0; i < 4; i++) {
          int m = (lane >> 2) + 8 * (i >> 1);
          int n = 2 * (lane & 3) + (i & 1);
          double sum =
              single
                  ? Float.intBitsToFloat(row(warp, c, i)[lane])
                  : Real.fromHalf(row(warp, c, i >> 1)[lane] >>> 16 * (i & 1) & 0xffff);
          sum = fused(left, m * depth, right, n * depth, depth, sum);
          if (single) {
            sums[i][lane] = Real.bits((float) sum);
          } else {
            sums[i >> 1][lane] |= Real.toHalf(sum) << 16 * (i & 1);
          }
        }
      }
      for (int i = 0; i < sums.length; i++) {
        System.arraycopy(sums[i], 0, warp.registers[form.next(i)], 0, Warp.LANES);
      }
    };
  }

  /**
   * A sum of products as the tensor cores of an H200 make it: all terms lose the bits that lie more
   * than two below the last bit that the largest could have in single precision, and so does the
   * sum.
   */
  private static double fused(
      double[] left, int a, double[] right, int b, int count, double start) {
    int largest = start == 0 ? Integer.MIN_VALUE : Math.getExponent(start);
    for (int k = 0; k < count; k++) {
      double x = left[a + k];
      double y = right[b + k];
      if (x != 0 && y != 0) {
        largest = Math.max(largest, Math.getExponent(x) + Math.getExponent(y));
      }
    }
    if (largest == Integer.MIN_VALUE) {
      return start;
    }
    if (largest > Float.MAX_EXPONENT) {
      // Infinities and what is no number.
      double sum = start;
      for (int k = 0; k < count; k++) {
        sum += left[a + k] * right[b + k];
      }
      return sum;
    }
    int scale = SINGLE_BITS + EXTRA_BITS - largest;
    double unit = Math.scalb(1.0, scale);
    long sum = (long) (start * unit);
    for (int k = 0; k < count; k++) {
      sum += (long) (left[a + k] * right[b + k] * unit);
    }
    return Real.round(Math.scalb((double) sum, -scale), Real.Rounding.ZERO);
  }

  private static double element(int word, int index, Factor type) {
    int half = word >>> 16 * index & 0xffff;
    return switch (type) {
      case HALF -> Real.fromHalf(half);
      case BFLOAT -> Real.fromBfloat(half);
      case TF32 -> Float.intBitsToFloat(word & 0xffffe000);
    };
  }

  private static LaneOperation integerProduct(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("16816", "16832", "S8", "U8", "SAT");
    if (instruction.has("SAT")) {
      throw instruction.unsupported("modifier .SAT is not emulated");
    }
    int depth = instruction.has("16832") ? 32 : 16;
    int groups = depth / 16;
    var types = instruction.modifiers().stream().filter(m -> m.endsWith("8")).toList();
    boolean signedLeft = types.get(0).equals("S8");
    boolean signedRight = types.get(types.size() - 1).equals("S8");
    int a = register(form, 0);
    int b = register(form, 1);
    int c = register(form, 2);
    int[] left = new int[ROWS * depth];
    int[] right = new int[COLUMNS * depth];
    return (warp, mask) -> {
      for (int lane = 0; lane < Warp.LANES; lane++) {
        for (int g = 0; g < groups; g++) {
          for (int e = 0; e < 4; e++) {
            int k = g * 16 + (lane & 3) * 4 + e;
            int group = lane >> 2;
            left[group * depth + k] = octet(row(warp, a, 2 * g)[lane], e, signedLeft);
            left[(group + 8) * depth + k] = octet(row(warp, a, 2 * g + 1)[lane], e, signedLeft);
            right[group * depth + k] = octet(row(warp, b, g)[lane], e, signedRight);
          }
        }
      }
      int[][] sums = new int[4][Warp.LANES];
      for (int lane = 0; lane < Warp.LANES; lane++) {
        for (int i = 0; i < 4; i++) {
          int m = (lane >> 2) + 8 * (i >> 1);
          int n = 2 * (lane & 3) + (i & 1);
          int sum = row(warp, c, i)[lane];
          for (int k = 0; k < depth; k++) {
            sum += left[m * depth + k] * right[n * depth + k];
          }
          sums[i][lane] = sum;
        }
      }
      for (int i = 0; i < 4; i++) {
        System.arraycopy(sums[i], 0, warp.registers[form.next(i)], 0, Warp.LANES);
      }
    };
  }

  private static int octet(int word, int index, boolean signed) {
    int value = word >> 8 * index;
    return signed ? (byte) value : value & 0xff;
  }

  /** Transposes an 8 by 8 matrix of halves. */
  private static LaneOperation transpose(Form form) {
    form.instruction.allow("16", "MT88");
    Source source = form.plain(0);
    return (warp, mask) -> {
      int[] a = source.read(warp).clone();
      int[] out = warp.registers[form.destination];
      for (int lane = 0; lane < Warp.LANES; lane++) {
        out[lane] = transposed(a, lane, 0) | transposed(a, lane, 1) << 16;
      }
    };
  }

  private static int transposed(int[] rows, int lane, int element) {
    int row = 2 * (lane & 3) + element;
    int column = lane >> 2;
    return rows[4 * row + (column >> 1)] >>> 16 * (column & 1) & 0xffff;
  }
}
