package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnTarget;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Matrix instructions multiply the matrices that the lanes hold. Small integers keep every format
 * exact.
 */
class MatrixSemanticsTest {
  private final Random random = new Random(5);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gfx942 | 32 | 1 | 2 | 32 | v_mfma_f32_32x32x1_2b_f32 v[32:63], v0, v8, v[32:63]",
        "gfx942 | 16 | 1 | 4 | 32 | v_mfma_f32_16x16x1_4b_f32 v[32:47], v0, v8, v[32:47]",
        "gfx942 | 4 | 1 | 16 | 32 | v_mfma_f32_4x4x1_16b_f32 v[32:35], v0, v8, v[32:35]",
        "gfx942 | 32 | 2 | 1 | 32 | v_mfma_f32_32x32x2_f32 v[32:47], v0, v8, v[32:47]",
        "gfx942 | 16 | 4 | 1 | 32 | v_mfma_f32_16x16x4_f32 v[32:35], v0, v8, v[32:35]",
        "gfx942 | 32 | 4 | 2 | 16 | v_mfma_f32_32x32x4_2b_f16 v[32:63], v[0:1], v[8:9], v[32:63]",
        "gfx942 | 16 | 4 | 4 | 16 | v_mfma_f32_16x16x4_4b_f16 v[32:47], v[0:1], v[8:9], v[32:47]",
        "gfx942 | 4 | 4 | 16 | 16 | v_mfma_f32_4x4x4_16b_f16 v[32:35], v[0:1], v[8:9], v[32:35]",
        "gfx942 | 32 | 8 | 1 | 16 | v_mfma_f32_32x32x8_f16 v[32:47], v[0:1], v[8:9], v[32:47]",
        "gfx942 | 16 | 16 | 1 | 16 | v_mfma_f32_16x16x16_f16 v[32:35], v[0:1], v[8:9], v[32:35]",
        "gfx942 | 16 | 16 | 1 | -16 | v_mfma_f32_16x16x16_bf16 v[32:35], v[0:1], v[8:9], v[32:35]",
        "gfx942 | 32 | 4 | 2 | 8 | v_mfma_i32_32x32x4_2b_i8 v[32:63], v0, v8, v[32:63]",
        "gfx942 | 4 | 4 | 16 | 8 | v_mfma_i32_4x4x4_16b_i8 v[32:35], v0, v8, v[32:35]",
        "gfx942 | 32 | 16 | 1 | 8 | v_mfma_i32_32x32x16_i8 v[32:47], v[0:1], v[8:9], v[32:47]",
        "gfx942 | 16 | 32 | 1 | 8 | v_mfma_i32_16x16x32_i8 v[32:35], v[0:1], v[8:9], v[32:35]",
        "gfx942 | 16 | 8 | 1 | 32 | v_mfma_f32_16x16x8_xf32 v[32:35], v[0:1], v[8:9], v[32:35]",
        "gfx942 | 32 | 4 | 1 | 32 | v_mfma_f32_32x32x4_xf32 v[32:47], v[0:1], v[8:9], v[32:47]",
        "gfx942 | 16 | 4 | 1 | 64 | v_mfma_f64_16x16x4_f64 v[32:39], v[0:1], v[8:9], v[32:39]",
        "gfx942 | 4 | 4 | 4 | 64 | v_mfma_f64_4x4x4_4b_f64 v[32:33], v[0:1], v[8:9], v[32:33]",
        "gfx90a | 32 | 1 | 2 | 32 | v_mfma_f32_32x32x1f32 v[32:63], v0, v8, v[32:63]",
        "gfx90a | 16 | 2 | 4 | -16 | v_mfma_f32_16x16x2bf16 v[32:47], v0, v8, v[32:47]",
        "gfx90a | 32 | 4 | 1 | -16 | v_mfma_f32_32x32x4bf16 v[32:47], v0, v8, v[32:47]",
        "gfx90a | 16 | 16 | 1 | -16 | v_mfma_f32_16x16x16bf16_1k v[32:35], v[0:1], v[8:9], v[32:35]",
        "gfx90a | 16 | 16 | 1 | 8 | v_mfma_i32_16x16x16i8 v[32:35], v0, v8, v[32:35]"
      })
  void theProductIsThatOfTheMatricesInTheLanes(
      String target, int size, int depth, int blocks, int format, String line) {
    Machine m = new Machine(GcnTarget.ofProcessor(target).orElseThrow());
    GcnInstruction instruction = Machine.decode(m.target, line);
    int[][][] a = matrices(blocks, size, depth);
    int[][][] b = matrices(blocks, depth, size);
    int[][][] c = matrices(blocks, size, size);
    // lanes run over rows, then blocks, then the depth; one lane holds consecutive steps of the
    // depth
    int perLane = depth * size * blocks / 64;
    for (int block = 0; block < blocks; block++) {
      for (int k = 0; k < depth; k++) {
        for (int i = 0; i < size; i++) {
          int lane = k / perLane * size * blocks + block * size + i;
          put(m, 0, lane, k % perLane, format, a[block][i][k]);
          put(m, 8, lane, k % perLane, format, b[block][k][i]);
        }
      }
    }
    boolean wide = format == 64;
    boolean integer = format == 8;
    for (int block = 0; block < blocks; block++) {
      for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
          put(
              m,
              32,
              lane(size, blocks, block, i, j, wide),
              item(size, block, i, wide),
              result(wide, integer),
              c[block][i][j]);
        }
      }
    }
    m.exec(0).run(line);
    for (int block = 0; block < blocks; block++) {
      for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
          int expected = c[block][i][j];
          for (int k = 0; k < depth; k++) {
            expected += a[block][i][k] * b[block][k][j];
          }
          int lane = lane(size, blocks, block, i, j, wide);
          int item = item(size, block, i, wide);
          double found =
              wide
                  ? m.d(32 + 2 * item, lane)
                  : integer ? m.lane(32 + item, lane) : m.f(32 + item, lane);
          assertThat(found)
              .as("%s block %d [%d][%d]", instruction, block, i, j)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void aSparseMatrixHoldsTwoOfEveryFourElements() {
    Machine m = Machine.gfx942();
    int[][][] b = matrices(1, 32, 16);
    int[][] a = new int[16][32];
    for (int lane = 0; lane < 64; lane++) {
      int index = 0;
      for (int k = 0; k < 8; k++) {
        put(m, 8, lane, k, 16, b[0][lane / 16 * 8 + k][lane % 16]);
      }
      for (int pair = 0; pair < 2; pair++) {
        int first = random.nextInt(3);
        int[] positions = {first, first + 1 + random.nextInt(3 - first)};
        for (int e = 0; e < 2; e++) {
          int value = random.nextInt(15) - 7;
          a[lane % 16][lane / 16 * 8 + 4 * pair + positions[e]] = value;
          put(m, 0, lane, 2 * pair + e, 16, value);
          index |= positions[e] << 4 * pair + 2 * e;
        }
      }
      m.wave.setVector(16, lane, index << 8);
      m.v(32, 100f).v(33, 100f).v(34, 100f).v(35, 100f);
    }
    m.run("v_smfmac_f32_16x16x32_f16 v[32:35], v[0:1], v[8:11], v16 abid:1");
    for (int i = 0; i < 16; i++) {
      for (int j = 0; j < 16; j++) {
        float expected = 100;
        for (int k = 0; k < 32; k++) {
          expected += a[i][k] * b[0][k][j];
        }
        assertThat(m.f(32 + i % 4, j + 16 * (i / 4))).isEqualTo(expected);
      }
    }
  }

  private static int result(boolean wide, boolean integer) {
    return wide ? 64 : integer ? 0 : 32;
  }

  /**
   * A result column is a lane; groups of 4 rows (f64: single rows) go to the next lanes, then to
   * the next registers.
   */
  private static int lane(int size, int blocks, int block, int i, int j, boolean wide) {
    if (size == 4) {
      return wide ? j + 4 * i + 16 * block : j + 4 * block;
    }
    int rows = wide ? 1 : 4;
    return j + size * (i / rows % (64 / size));
  }

  private static int item(int size, int block, int i, boolean wide) {
    if (size == 4) {
      return wide ? 0 : i;
    }
    int rows = wide ? 1 : 4;
    int perBlock = size * size / 64;
    return perBlock * block + i % rows + rows * (i / (rows * (64 / size)));
  }

  private int[][][] matrices(int blocks, int rows, int columns) {
    int[][][] values = new int[blocks][rows][columns];
    for (int[][] block : values) {
      for (int[] row : block) {
        for (int i = 0; i < columns; i++) {
          row[i] = random.nextInt(15) - 7;
        }
      }
    }
    return values;
  }

  /**
   * Puts a small integer into a lane; format: bits of the element, -16 bf16, 0 a 32-bit integer.
   */
  private static void put(Machine m, int register, int lane, int item, int format, int value) {
    int bits = Math.abs(format == 0 ? 32 : format);
    if (bits == 64) {
      long pattern = Double.doubleToRawLongBits(value);
      m.wave.setVector(register + 2 * item, lane, (int) pattern);
      m.wave.setVector(register + 2 * item + 1, lane, (int) (pattern >>> 32));
      return;
    }
    int pattern =
        switch (format) {
          case 0, 8 -> value;
          case -16 -> Float.floatToRawIntBits(value) >>> 16;
          case 16 -> Half.fromFloat(value);
          default -> Float.floatToRawIntBits(value);
        };
    int at = register + item * bits / 32;
    int shift = item * bits % 32;
    int mask = bits == 32 ? -1 : (1 << bits) - 1 << shift;
    m.wave.setVector(at, lane, m.lane(at, lane) & ~mask | pattern << shift & mask);
  }
}
