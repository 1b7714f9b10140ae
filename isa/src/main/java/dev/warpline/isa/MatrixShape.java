package dev.warpline.isa;

import java.util.ArrayList;
import java.util.List;

/**
 * Shape and types of a warp matrix product as its mnemonic states them, e.g. {@code
 * HMMA.16816.F32.BF16}: D (m x n) = A (m x k) * B (k x n) + C.
 *
 * @param m rows
 * @param n columns
 * @param k depth
 * @param inputBits bits of an element of A and B
 * @param accumulatorBits bits of an element of C and D
 * @param sparse whether A holds only half of its depth (2:4 sparsity)
 */
public record MatrixShape(int m, int n, int k, int inputBits, int accumulatorBits, boolean sparse) {

  private static final MatrixShape UNKNOWN = new MatrixShape(16, 8, 16, 16, 32, false);

  /** Reads a mnemonic; one without a shape counts as m16n8k16 with 16-bit inputs. */
  public static MatrixShape of(String mnemonic) {
    List<String> tokens = new ArrayList<>(List.of(mnemonic.split("\\.")));
    String opcode = tokens.remove(0);
    boolean sparse = tokens.remove("SP");
    int[] shape = null;
    List<String> types = new ArrayList<>();
    for (String token : tokens) {
      if (shape == null && !token.isEmpty() && Character.isDigit(token.charAt(0))) {
        shape = shape(token);
      } else {
        types.add(token);
      }
    }
    if (shape == null) {
      return UNKNOWN;
    }
    int input =
        switch (opcode) {
          case "DMMA" -> 64;
          case "IMMA" -> types.contains("S4") || types.contains("U4") ? 4 : 8;
          case "BMMA" -> 1;
          case "QMMA" -> 8;
          case "OMMA" -> 4;
          default -> types.contains("TF32") ? 32 : 16;
        };
    int accumulator =
        opcode.equals("DMMA") ? 64 : !types.isEmpty() && types.get(0).equals("F16") ? 16 : 32;
    return new MatrixShape(shape[0], shape[1], shape[2], input, accumulator, sparse);
  }

  /** Multiply-adds of one instruction. */
  public long multiplyAdds() {
    return (long) m * n * k;
  }

  /** Registers of A (0), B (1), C (2) or sparsity metadata (3) per thread. */
  int operand(int index) {
    return switch (index) {
      case 0 -> registers(m * (sparse ? k / 2 : k), inputBits);
      case 1 -> registers(k * n, inputBits);
      case 2 -> accumulator();
      default -> 1;
    };
  }

  /** Registers of C or D per thread. */
  int accumulator() {
    if (isVolta()) {
      // Eight F32 (four packed F16) registers per thread, two of them per STEP of the instruction.
      return 2;
    }
    return registers(m * n, accumulatorBits);
  }

  private int registers(int elements, int bits) {
    if (isVolta()) {
      // Each quad pair of 8 threads holds its own 8x4 and 4x8 matrix.
      return Math.max(1, elements * bits / 8 / 32);
    }
    return Math.max(1, elements * bits / 32 / 32);
  }

  private boolean isVolta() {
    return m == 8 && n == 8 && k == 4 && inputBits == 16;
  }

  /** 16816 is 16x8x16 and 884 is 8x8x4: n is 8 wherever no x separates the numbers. */
  private static int[] shape(String token) {
    String[] parts = token.split("x");
    try {
      if (parts.length == 3) {
        return new int[] {
          Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2])
        };
      }
      int mDigits = token.startsWith("16") ? 2 : 1;
      if (token.length() < mDigits + 2 || token.charAt(mDigits) != '8') {
        return null;
      }
      int m = Integer.parseInt(token.substring(0, mDigits));
      return new int[] {m, 8, Integer.parseInt(token.substring(mDigits + 1))};
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
