package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOperand;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A matrix instruction: D = A (M x K) * B (K x N) + C for one or more blocks, EXEC ignored. Every
 * product is added with one rounding, k ascending. Where an element lives: A[i][k] of block b in
 * lane i + M*(b + blocks*(k / perLane)), item k mod perLane; B likewise; D[i][j] in groups of 4
 * rows (1 for f64) per lane, see {@link #layout}.
 *
 * <p>Sparse instructions (v_smfmac) hold two of every four elements of A along k; src2 has their
 * positions and D is also C.
 */
final class MatrixOperation extends Operation {
  private static final Pattern NAME =
      Pattern.compile(
          "v_s?mfmac?_(f32|i32|f64)_(\\d+)x(\\d+)x(\\d+)_?(?:\\d+b_)?([a-z0-9]+)(?:_(1k|bf8|fp8))?");

  private enum Element {
    F64(64),
    F32(32),
    XF32(32),
    F16(16),
    BF16(16),
    I8(8),
    FP8(8),
    BF8(8);

    final int bits;

    Element(int bits) {
      this.bits = bits;
    }
  }

  private final int m;
  private final int n;
  private final int k;
  private final int blocks;
  private final Element elementA;
  private final Element elementB;
  private final boolean integer;
  private final boolean sparse;

  /** For each element of A (block, i, k) and B (block, k, j): lane * 16 + item. */
  private final int[] placeA;

  private final int[] placeB;

  /** For each element of D (block, i, j): item * 64 + lane. */
  private final int[] placeD;

  private MatrixOperation(GcnInstruction i, Matcher name) {
    super(i);
    m = Integer.parseInt(name.group(2));
    n = Integer.parseInt(name.group(3));
    k = Integer.parseInt(name.group(4));
    integer = name.group(1).equals("i32");
    sparse = i.opcode.mnemonic().startsWith("v_smfmac");
    elementA = Element.valueOf(name.group(5).toUpperCase(java.util.Locale.ROOT));
    boolean mixed = elementA == Element.FP8 || elementA == Element.BF8;
    elementB = mixed ? Element.valueOf(name.group(6).toUpperCase(java.util.Locale.ROOT)) : elementA;
    boolean wide = elementA == Element.F64;
    blocks = i.vdstWidth / (wide ? 2 : 1) * 64 / (m * n);
    placeA = new int[blocks * m * k];
    placeB = new int[blocks * k * n];
    placeD = new int[blocks * m * n];
    layout(wide ? 1 : 4);
  }

  /** The operation, or null if the name is not that of a product. */
  static MatrixOperation of(GcnInstruction i) {
    Matcher name = NAME.matcher(i.opcode.mnemonic());
    return name.matches() ? new MatrixOperation(i, name) : null;
  }

  private void layout(int rows) {
    int perLaneA = k / (64 / (m * blocks));
    int perLaneB = k / (64 / (n * blocks));
    int broadcast = (1 << instruction.cbsz) - 1;
    for (int b = 0; b < blocks; b++) {
      // cbsz: each group of 2^cbsz blocks uses block abid of the group for A
      int source = b & ~broadcast | instruction.abid & broadcast;
      for (int kk = 0; kk < k; kk++) {
        for (int i = 0; i < m; i++) {
          placeA[(b * m + i) * k + kk] =
              (i + m * (source + blocks * (kk / perLaneA))) * 16 + kk % perLaneA;
        }
        for (int j = 0; j < n; j++) {
          int lane = groupPattern(j + n * (b + blocks * (kk / perLaneB)));
          placeB[(b * k + kk) * n + j] = lane * 16 + kk % perLaneB;
        }
      }
    }
    int blocksPerItem = Math.max(1, 64 * rows / (n * m));
    int groupsOfRows = 64 / blocksPerItem / n;
    int groups = m / (rows * groupsOfRows);
    for (int b = 0; b < blocks; b++) {
      for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
          int item = i % rows + rows * (i / (rows * groupsOfRows) + groups * (b / blocksPerItem));
          int lane = j + n * (i / rows % groupsOfRows + groupsOfRows * (b % blocksPerItem));
          placeD[(b * m + i) * n + j] = item * 64 + lane;
        }
      }
    }
  }

  /** blgp: the lane group from which B is taken; for f64 the field negates operands instead. */
  private int groupPattern(int lane) {
    if (elementA == Element.F64) {
      return lane;
    }
    return switch (instruction.blgp) {
      case 1 -> lane & 31;
      case 2 -> lane & 31 | 32;
      case 3 -> lane + 16 & 63;
      case 4 -> lane & 15;
      case 5 -> lane & 15 | 16;
      case 6 -> lane & 15 | 32;
      case 7 -> lane & 15 | 48;
      default -> lane;
    };
  }

  @Override
  void run(WaveState w, Lanes x, MemoryAccess access) {
    if (elementA == Element.F64) {
      runDouble(w);
    } else if (integer) {
      runInteger(w);
    } else {
      runFloat(w);
    }
  }

  /**
   * Where the elements of A are; -1 for those that a sparse A does not have. A lane's 4 (8-bit: 8)
   * elements stand for twice as many steps of k: pairs of them for 4 steps each, with 2 bits of
   * position per element. Field abid says which part of the index register has the positions,
   * unless cbsz is set.
   */
  private int[] placesOfA(WaveState w) {
    if (!sparse) {
      return placeA;
    }
    int[] places = new int[m * k];
    java.util.Arrays.fill(places, -1);
    int items = 64 / elementA.bits;
    int part = instruction.cbsz == 0 ? instruction.abid & 32 / (2 * items) - 1 : 0;
    for (int lane = 0; lane < 64; lane++) {
      int index = w.vector(VectorSource.register(w, instruction.src2), lane) >>> part * 2 * items;
      for (int item = 0; item < items; item++) {
        int step = lane / m * 2 * items + item / 2 * 4 + (index >>> 2 * item & 3);
        places[lane % m * k + step] = lane * 16 + item;
      }
    }
    return places;
  }

  private void runFloat(WaveState w) {
    int[] places = placesOfA(w);
    float[] a = toFloats(elementA, elements(w, instruction.src0, places, elementA.bits));
    float[] b = toFloats(elementB, elements(w, instruction.src1, placeB, elementB.bits));
    float[] row = new float[n];
    int[] result = new int[placeD.length];
    for (int block = 0; block < blocks; block++) {
      for (int i = 0; i < m; i++) {
        int first = (block * m + i) * n;
        for (int j = 0; j < n; j++) {
          row[j] = Float.intBitsToFloat(addend(w, placeD[first + j], OperandType.F32));
        }
        for (int kk = 0; kk < k; kk++) {
          if (places[(block * m + i) * k + kk] < 0) {
            continue;
          }
          float left = a[(block * m + i) * k + kk];
          int right = (block * k + kk) * n;
          for (int j = 0; j < n; j++) {
            row[j] = Math.fma(left, b[right + j], row[j]);
          }
        }
        for (int j = 0; j < n; j++) {
          result[first + j] = Float.floatToIntBits(row[j]);
        }
      }
    }
    store(w, result);
  }

  private void runInteger(WaveState w) {
    int[] a = elements(w, instruction.src0, placesOfA(w), 8);
    int[] b = elements(w, instruction.src1, placeB, 8);
    int[] result = new int[placeD.length];
    for (int at = 0; at < result.length; at++) {
      result[at] = addend(w, placeD[at], OperandType.B32);
    }
    for (int block = 0; block < blocks; block++) {
      for (int i = 0; i < m; i++) {
        int first = (block * m + i) * n;
        for (int kk = 0; kk < k; kk++) {
          int left = (byte) a[(block * m + i) * k + kk];
          int right = (block * k + kk) * n;
          for (int j = 0; j < n; j++) {
            result[first + j] += left * (byte) b[right + j];
          }
        }
      }
    }
    store(w, result);
  }

  private void store(WaveState w, int[] result) {
    int base = VectorSource.register(w, instruction.vdst) * 64;
    for (int e = 0; e < result.length; e++) {
      w.vgpr[base + placeD[e]] = result[e];
    }
  }

  private void runDouble(WaveState w) {
    double[] a = doubles(w, instruction.src0, placeA);
    double[] b = doubles(w, instruction.src1, placeB);
    double[] result = new double[placeD.length];
    double signA = (instruction.blgp & 1) != 0 ? -1 : 1;
    double signB = (instruction.blgp & 2) != 0 ? -1 : 1;
    double signC = (instruction.blgp & 4) != 0 ? -1 : 1;
    for (int block = 0; block < blocks; block++) {
      for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
          int at = (block * m + i) * n + j;
          double sum = signC * addendDouble(w, placeD[at]);
          for (int kk = 0; kk < k; kk++) {
            double left = signA * a[(block * m + i) * k + kk];
            double right = signB * b[(block * k + kk) * n + j];
            sum = Math.fma(left, right, sum);
          }
          result[at] = sum;
        }
      }
    }
    int base = VectorSource.register(w, instruction.vdst) * 64;
    for (int e = 0; e < result.length; e++) {
      long bits = Double.doubleToLongBits(result[e]);
      int item = placeD[e] / 64;
      int lane = placeD[e] % 64;
      w.vgpr[base + 128 * item + lane] = (int) bits;
      w.vgpr[base + 128 * item + 64 + lane] = (int) (bits >>> 32);
    }
  }

  private int addend(WaveState w, int place, OperandType type) {
    int code = sparse ? instruction.vdst : instruction.src2;
    if (GcnOperand.isVgpr(code) || GcnOperand.isAgpr(code)) {
      return w.vgpr[VectorSource.register(w, code) * 64 + place];
    }
    return (int) Constants.value(code, type, instruction.literal);
  }

  private double addendDouble(WaveState w, int place) {
    int code = instruction.src2;
    if (GcnOperand.isVgpr(code) || GcnOperand.isAgpr(code)) {
      int base = VectorSource.register(w, code) * 64 + 128 * (place / 64) + place % 64;
      return Double.longBitsToDouble(w.vgpr[base] & 0xffffffffL | (long) w.vgpr[base + 64] << 32);
    }
    return Double.longBitsToDouble(Constants.value(code, OperandType.F64, instruction.literal));
  }

  /**
   * The elements at {@code places} (lane * 16 + item; -1: zero) of a packed operand, in their low
   * bits.
   */
  private static int[] elements(WaveState w, int code, int[] places, int bits) {
    int base = VectorSource.register(w, code) * 64;
    int[] values = new int[places.length];
    for (int e = 0; e < places.length; e++) {
      int place = places[e];
      if (place >= 0) {
        int bit = place % 16 * bits;
        values[e] = w.vgpr[base + bit / 32 * 64 + place / 16] >>> bit % 32;
      }
    }
    return values;
  }

  private static float[] toFloats(Element element, int[] bits) {
    float[] values = new float[bits.length];
    for (int e = 0; e < bits.length; e++) {
      values[e] = toFloat(element, bits[e]);
    }
    return values;
  }

  private static double[] doubles(WaveState w, int code, int[] places) {
    double[] values = new double[places.length];
    for (int e = 0; e < places.length; e++) {
      int at = VectorSource.register(w, code) * 64 + places[e] / 16;
      values[e] = Double.longBitsToDouble(w.vgpr[at] & 0xffffffffL | (long) w.vgpr[at + 64] << 32);
    }
    return values;
  }

  private static float toFloat(Element element, int bits) {
    return switch (element) {
      case F16 -> Half.toFloat(bits);
      case BF16 -> Half.bfloatToFloat(bits);
      case FP8 -> Half.fp8ToFloat(bits);
      case BF8 -> Half.bf8ToFloat(bits);
      // 10 mantissa bits are kept, ties to even
      case XF32 -> Float.intBitsToFloat(bits + 0xfff + (bits >>> 13 & 1) & ~0x1fff);
      default -> Float.intBitsToFloat(bits);
    };
  }
}
