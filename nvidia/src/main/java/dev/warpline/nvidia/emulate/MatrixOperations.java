package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.List;

/** Matrix products of a warp. */
final class MatrixOperations {
  private static final int COLUMNS = 8;

  private MatrixOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    return switch (mnemonic) {
      case "HMMA", "QMMA" -> product(Form.of(instruction));
      case "IMMA", "BMMA" -> integerProduct(Form.of(instruction));
      case "DMMA" -> doubleProduct(Form.of(instruction));
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

  /** The shape that a modifier names, e.g. 16816 or 16x8x16. */
  private record Shape(int rows, int depth) {
    static Shape of(SassInstruction instruction) {
      for (String modifier : instruction.modifiers()) {
        switch (modifier) {
          case "884", "8x8x4" -> {
            return new Shape(8, 4);
          }
          case "8816" -> {
            return new Shape(8, 16);
          }
          case "8832" -> {
            return new Shape(8, 32);
          }
          case "88128" -> {
            return new Shape(8, 128);
          }
          case "1684", "16x8x4" -> {
            return new Shape(16, 4);
          }
          case "1688", "16x8x8" -> {
            return new Shape(16, 8);
          }
          case "16816", "16x8x16" -> {
            return new Shape(16, 16);
          }
          case "16832" -> {
            return new Shape(16, 32);
          }
          case "16864" -> {
            return new Shape(16, 64);
          }
          case "168128" -> {
            return new Shape(16, 128);
          }
          case "168256" -> {
            return new Shape(16, 256);
          }
          default -> {
            // Types and roundings.
          }
        }
      }
      throw instruction.unsupported("expected a shape such as 16816");
    }
  }

  private static LaneOperation product(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow(
        "SP", "16832", "16816", "1688", "1684", "F32", "F16", "BF16", "TF32", "E4M3", "E5M2");
    boolean narrow = instruction.mnemonic().equals("QMMA");
    List<String> types =
        instruction.modifiers().stream().filter(m -> m.matches("E[45]M[23]")).toList();
    if (narrow && types.size() != 2) {
      throw instruction.unsupported("expected the types of two factors");
    }
    Factor leftType =
        narrow
            ? Factor.valueOf(types.get(0))
            : instruction.has("BF16")
                ? Factor.BF16
                : instruction.has("TF32") ? Factor.TF32 : Factor.F16;
    Factor rightType = narrow ? Factor.valueOf(types.get(1)) : leftType;
    Shape shape = Shape.of(instruction);
    if (shape.rows() != 16) {
      throw instruction.unsupported("expected 16 rows");
    }
    int depth = shape.depth();
    boolean single = instruction.has("F32");
    boolean sparse = instruction.has("SP");
    Fragment left = new Fragment(leftType.bits, 16);
    Fragment right = new Fragment(rightType.bits, COLUMNS);
    int a = register(form, 0);
    int b = register(form, 1);
    int c = register(form, 2);
    SparseRows chosen = sparse ? SparseRows.of(form, 3, leftType.bits, depth) : null;
    int given = sparse ? depth / 2 : depth;
    TensorCore core = new TensorCore(leftType, rightType, single, 16, COLUMNS, depth);
    int[] sums = new int[COLUMNS];
    int[] lefts = new int[16 * given];
    int[] rights = new int[COLUMNS * depth];
    int[][] results = new int[single ? 4 : 2][Warp.LANES];
    return (warp, mask) -> {
      core.begin();
      left.read(warp, a, given, lefts);
      right.read(warp, b, depth, rights);
      for (int m = 0; m < 16; m++) {
        if (sparse) {
          for (int k = 0; k < depth; k++) {
            core.left(m, k, 0, false);
          }
        }
        for (int k = 0; k < given; k++) {
          int place = sparse ? chosen.place(warp, m, k) : k;
          core.left(m, place, lefts[m * given + k], false);
        }
      }
      for (int n = 0; n < COLUMNS; n++) {
        for (int k = 0; k < depth; k++) {
          core.right(n, k, rights[n * depth + k], false);
        }
      }
      for (int m = 0; m < 16; m++) {
        int high = m >> 3;
        int lanes = (m & 7) * 4;
        for (int n = 0; n < COLUMNS; n++) {
          int lane = lanes + (n >> 1);
          sums[n] =
              single
                  ? row(warp, c, 2 * high + (n & 1))[lane]
                  : row(warp, c, high)[lane] >>> 16 * (n & 1) & 0xffff;
        }
        core.multiply(m, sums);
        for (int n = 0; n < COLUMNS; n++) {
          int lane = lanes + (n >> 1);
          if (single) {
            results[2 * high + (n & 1)][lane] = sums[n];
          } else {
            results[high][lane] = (n & 1) == 0 ? sums[n] : results[high][lane] | sums[n] << 16;
          }
        }
      }
      for (int i = 0; i < results.length; i++) {
        System.arraycopy(results[i], 0, warp.registers[form.next(i)], 0, Warp.LANES);
      }
    };
  }

  private static LaneOperation integerProduct(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow(
        "SP", "8816", "8832", "88128", "16816", "16832", "16864", "168128", "168256", "S8", "U8",
        "S4", "U4", "SAT", "AND", "XOR", "POPC");
    boolean binary = instruction.mnemonic().equals("BMMA");
    boolean exclusive = instruction.has("XOR");
    boolean saturated = instruction.has("SAT");
    boolean sparse = instruction.has("SP");
    Shape shape = Shape.of(instruction);
    int rows = shape.rows();
    int depth = shape.depth();
    List<String> types =
        instruction.modifiers().stream().filter(m -> m.matches("[SU][48]")).toList();
    if (!binary && types.isEmpty()) {
      throw instruction.unsupported("expected the types of the factors");
    }
    String leftType = binary ? "U1" : types.get(0);
    String rightType = binary ? "U1" : types.get(types.size() - 1);
    int bits = leftType.charAt(1) - '0';
    Fragment left = new Fragment(bits, rows);
    Fragment right = new Fragment(bits, COLUMNS);
    int a = register(form, 0);
    int b = register(form, 1);
    int c = register(form, 2);
    SparseRows chosen = sparse ? SparseRows.of(form, 3, bits, depth) : null;
    int given = sparse ? depth / 2 : depth;
    int[] lefts = new int[rows * given];
    int[] rights = new int[COLUMNS * depth];
    int[][] results = new int[rows / 4][Warp.LANES];
    return (warp, mask) -> {
      left.read(warp, a, given, lefts);
      right.read(warp, b, depth, rights);
      for (int m = 0; m < rows; m++) {
        for (int n = 0; n < COLUMNS; n++) {
          int lane = (m & 7) * 4 + (n >> 1);
          int register = 2 * (m >> 3) + (n & 1);
          long sum = row(warp, c, register)[lane];
          for (int k = 0; k < given; k++) {
            int x = extend(lefts[m * given + k], bits, leftType);
            int place = sparse ? chosen.place(warp, m, k) : k;
            int y = extend(rights[n * depth + place], bits, rightType);
            sum += exclusive ? x ^ y : x * y;
          }
          results[register][lane] = saturated ? clamp(sum) : (int) sum;
        }
      }
      for (int i = 0; i < results.length; i++) {
        System.arraycopy(results[i], 0, warp.registers[form.next(i)], 0, Warp.LANES);
      }
    };
  }

  static int clamp(long sum) {
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, sum));
  }

  /** An element of a type such as S8 as a number. */
  static int extend(int element, int bits, String type) {
    return type.charAt(0) == 'S' ? element << 32 - bits >> 32 - bits : element;
  }

  /** Doubles: one fused multiplication and addition after the other, along the depth. */
  private static LaneOperation doubleProduct(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("884", "8x8x4", "16x8x4", "16x8x8", "16x8x16", "RN");
    Shape shape = Shape.of(instruction);
    int rows = shape.rows();
    int depth = shape.depth();
    int a = register(form, 0);
    int b = register(form, 1);
    int c = register(form, 2);
    int[][] results = new int[rows / 2][Warp.LANES];
    return (warp, mask) -> {
      for (int m = 0; m < rows; m++) {
        for (int n = 0; n < COLUMNS; n++) {
          int lane = (m & 7) * 4 + (n >> 1);
          int register = 2 * (2 * (m >> 3) + (n & 1));
          double sum = real(warp, c, register, lane);
          for (int k = 0; k < depth; k++) {
            double x = real(warp, a, 2 * (rows / 8 * (k >> 2) + (m >> 3)), (m & 7) * 4 + (k & 3));
            double y = real(warp, b, 2 * (k >> 2), n * 4 + (k & 3));
            sum = Math.fma(x, y, sum);
          }
          long bits = Double.doubleToRawLongBits(sum);
          results[register][lane] = (int) bits;
          results[register + 1][lane] = (int) (bits >>> 32);
        }
      }
      for (int i = 0; i < results.length; i++) {
        System.arraycopy(results[i], 0, warp.registers[form.next(i)], 0, Warp.LANES);
      }
    };
  }

  private static double real(Warp warp, int first, int distance, int lane) {
    return Double.longBitsToDouble(
        Words64.join(row(warp, first, distance)[lane], row(warp, first, distance + 1)[lane]));
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
