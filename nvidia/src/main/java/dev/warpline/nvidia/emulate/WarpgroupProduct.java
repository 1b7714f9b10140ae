package dev.warpline.nvidia.emulate;

import dev.warpline.isa.Registers;
import dev.warpline.isa.SassOperand.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HGMMA, QGMMA, IGMMA, BGMMA: the product of 64 rows by n columns that four warps make together,
 * each its sixteen rows; done at once.
 */
final class WarpgroupProduct implements LaneOperation {
  private static final int ROWS = 16;
  private static final Pattern SHAPE = Pattern.compile("64x(\\d+)x(\\d+)");
  private static final Pattern DESCRIPTOR = Pattern.compile("gdesc\\[(UR\\d+)\\](.*)");

  private final int columns;
  private final int depth;
  private final int destination;
  private final int bits;
  private final boolean closes;
  private final int a;
  private final int descriptor;
  private final int c;
  private final boolean negatedLeft;
  private final boolean negatedRight;
  private final boolean transposedLeft;
  private final boolean transposedRight;
  private final Form.Input keeps;
  private final boolean single;
  private final boolean saturated;
  private final String leftType;
  private final String rightType;
  private final TensorCore core;
  private final SparseRows chosen;
  private final int[] sums;
  private final int[] lefts;

  /** What is given of a sparse left factor. */
  private final int[] compact;

  private final int[] rights;

  WarpgroupProduct(SassInstruction instruction) {
    Matcher shape = null;
    for (String modifier : instruction.modifiers()) {
      Matcher match = SHAPE.matcher(modifier);
      shape = match.matches() ? match : shape;
    }
    if (shape == null) {
      throw instruction.unsupported("expected a shape such as 64x128x16");
    }
    columns = Integer.parseInt(shape.group(1));
    depth = Integer.parseInt(shape.group(2));
    instruction.allow(
        shape.group(),
        "SP",
        "F32",
        "F16",
        "BF16",
        "TF32",
        "E4M3",
        "E5M2",
        "S8",
        "U8",
        "SAT",
        "AND",
        "POPC");
    boolean sparse = instruction.has("SP");
    single = !instruction.has("F16");
    saturated = instruction.has("SAT");
    List<String> types =
        instruction.modifiers().stream().filter(m -> m.matches("E[45]M[23]|[SU]8")).toList();
    String kind = instruction.mnemonic();
    boolean typed = kind.equals("QGMMA") || kind.equals("IGMMA");
    if (typed && types.size() != 2) {
      throw instruction.unsupported("expected the types of two factors");
    }
    String wide = instruction.oneOf("F16", "BF16", "TF32");
    leftType = typed ? types.get(0) : kind.equals("BGMMA") ? "U1" : wide;
    rightType = typed ? types.get(1) : leftType;
    boolean real = kind.equals("HGMMA") || kind.equals("QGMMA");
    bits = real ? Factor.valueOf(leftType).bits : Integer.parseInt(leftType.substring(1));
    List<Operand> operands = instruction.operands();
    destination = Form.discard(operands.get(0).index());
    Operand left = operands.get(1);
    boolean registers = left.is(Kind.REGISTER);
    Matcher places = DESCRIPTOR.matcher(operands.get(registers ? 2 : 1).text());
    if (!places.matches()) {
      throw instruction.unsupported("expected gdesc[UR..]");
    }
    a = registers ? left.index() : -1;
    descriptor = Registers.number(places.group(1));
    String marks = places.group(2);
    for (String mark : marks.isEmpty() ? new String[0] : marks.substring(1).split("\\.")) {
      if (!List.of("tnspA", "tnspB", "negA", "negB").contains(mark)) {
        throw instruction.unsupported("descriptor ." + mark + " is not emulated");
      }
    }
    transposedLeft = marks.contains("tnspA");
    transposedRight = marks.contains("tnspB");
    negatedLeft = marks.contains("negA") || registers && left.negative();
    negatedRight = marks.contains("negB");
    c = operands.get(registers ? 3 : 2).index();
    List<Operand> predicates = instruction.of(Kind.PREDICATE);
    keeps = predicates.isEmpty() ? Form.Input.ALWAYS : new Form.Input(predicates.get(0));
    closes = operands.stream().anyMatch(operand -> operand.text().equals("gsb0"));
    core =
        real
            ? new TensorCore(
                Factor.valueOf(leftType), Factor.valueOf(rightType), single, ROWS, columns, depth)
            : null;
    Form form = Form.of(instruction);
    int first = registers ? 3 : 2;
    chosen = sparse ? SparseRows.of(form, first, bits, depth) : null;
    sums = new int[columns];
    lefts = new int[ROWS * depth];
    compact = new int[ROWS * depth / 2];
    rights = new int[columns * depth];
  }

  private static long uniform(Warp warp, int register) {
    return Words64.join(warp.registers[register][0], warp.registers[register + 1][0]);
  }

  @Override
  public void execute(Warp warp, int mask) {
    int given = chosen == null ? depth : depth / 2;
    readLeft(warp, given);
    MatrixDescriptor right = new MatrixDescriptor(uniform(warp, descriptor + 2));
    right.read(warp.block.shared(), 0, columns, depth, bits, transposedRight, rights);
    if (core != null) {
      core.begin();
      for (int m = 0; m < ROWS; m++) {
        for (int k = 0; k < depth; k++) {
          core.left(m, k, lefts[m * depth + k], negatedLeft);
        }
      }
      for (int n = 0; n < columns; n++) {
        for (int k = 0; k < depth; k++) {
          core.right(n, k, rights[n * depth + k], negatedRight);
        }
      }
    }
    boolean adds = (keeps.read(warp) & 1) != 0 && c != Warp.ZERO;
    for (int m = 0; m < ROWS; m++) {
      multiply(warp, m, adds);
    }
    warp.products++;
    if (closes) {
      warp.closeGroup();
    }
  }

  private void readLeft(Warp warp, int given) {
    int[] into = chosen == null ? lefts : compact;
    if (a < 0) {
      MatrixDescriptor left = new MatrixDescriptor(uniform(warp, descriptor));
      int first = ROWS * (warp.id & 3);
      left.read(warp.block.shared(), first, ROWS, given, bits, transposedLeft, into);
    } else {
      new Fragment(bits, ROWS).read(warp, a, given, into);
    }
    if (chosen != null) {
      Arrays.fill(lefts, 0);
      for (int m = 0; m < ROWS; m++) {
        for (int k = 0; k < given; k++) {
          lefts[m * depth + chosen.place(warp, m, k)] = compact[m * given + k];
        }
      }
    }
  }

  /** One row; registers hold two neighbours of every eight columns, for rows r and r + 8. */
  private void multiply(Warp warp, int m, boolean adds) {
    int high = m >> 3;
    int lanes = (m & 7) * 4;
    for (int n = 0; n < columns; n++) {
      int lane = lanes + (n >> 1 & 3);
      sums[n] =
          !adds
              ? 0
              : single
                  ? warp.registers[c + 4 * (n >> 3) + 2 * high + (n & 1)][lane]
                  : warp.registers[c + 2 * (n >> 3) + high][lane] >>> 16 * (n & 1) & 0xffff;
    }
    if (core != null) {
      core.multiply(m, sums);
    } else {
      integers(m);
    }
    if (destination == Warp.DISCARD) {
      return;
    }
    for (int n = 0; n < columns; n++) {
      int lane = lanes + (n >> 1 & 3);
      if (single) {
        warp.registers[destination + 4 * (n >> 3) + 2 * high + (n & 1)][lane] = sums[n];
      } else {
        int[] row = warp.registers[destination + 2 * (n >> 3) + high];
        row[lane] = (n & 1) == 0 ? sums[n] : row[lane] | sums[n] << 16;
      }
    }
  }

  private void integers(int m) {
    for (int n = 0; n < columns; n++) {
      long sum = sums[n];
      for (int k = 0; k < depth; k++) {
        sum +=
            (long) MatrixOperations.extend(lefts[m * depth + k], bits, leftType)
                * MatrixOperations.extend(rights[n * depth + k], bits, rightType);
      }
      sums[n] = saturated ? MatrixOperations.clamp(sum) : (int) sum;
    }
  }
}
