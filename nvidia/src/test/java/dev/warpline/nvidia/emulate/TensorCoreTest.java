package dev.warpline.nvidia.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums of products, bit by bit as an H200 made them (docs/hardware/h200/products.py). */
class TensorCoreTest {
  private static final int ROWS = 4;
  private static final int COLUMNS = 8;

  @Test
  void everyMeasuredProductHasTheGpusBits() throws IOException {
    int kinds = 0;
    int products = 0;
    try (InputStream file = getClass().getResourceAsStream("/emulate/products.bin.gz");
        DataInputStream in = new DataInputStream(new GZIPInputStream(file))) {
      String head = line(in);
      while (!head.isEmpty()) {
        String[] words = head.split(" ");
        Factor left = Factor.valueOf(words[1]);
        Factor right = Factor.valueOf(words[2]);
        int depth = Integer.parseInt(words[3]);
        int accumulator = Integer.parseInt(words[4]);
        TensorCore core = new TensorCore(left, right, accumulator == 4, ROWS, COLUMNS, depth);
        for (int tile = 0; tile < Integer.parseInt(words[5]); tile++) {
          core.begin();
          for (int m = 0; m < ROWS; m++) {
            for (int k = 0; k < depth; k++) {
              core.left(m, k, element(in, left.bits / 8), false);
            }
          }
          for (int n = 0; n < COLUMNS; n++) {
            for (int k = 0; k < depth; k++) {
              core.right(n, k, element(in, right.bits / 8), false);
            }
          }
          int[][] sums = new int[ROWS][COLUMNS];
          for (int i = 0; i < ROWS * COLUMNS; i++) {
            sums[i / COLUMNS][i % COLUMNS] = element(in, accumulator);
          }
          for (int m = 0; m < ROWS; m++) {
            core.multiply(m, sums[m]);
            for (int n = 0; n < COLUMNS; n++) {
              assertThat(sums[m][n])
                  .as("%s, tile %d, row %d, column %d", words[0], tile, m, n)
                  .isEqualTo(element(in, accumulator));
              products++;
            }
          }
        }
        kinds++;
        head = line(in);
      }
    }
    assertThat(kinds).isEqualTo(16);
    assertThat(products).isEqualTo(16 * 36 * ROWS * COLUMNS);
  }

  /** What an H200 loads with the maps of type FLOAT32 and TFLOAT32. */
  @ParameterizedTest
  @CsvSource({
    "00001000,00000000", "00001001,00002000", "00003000,00004000", "007fffff,00800000",
    "7f7fefff,7f7fe000", "7f7ff000,7f800000", "ff7fffff,ff800000", "ff800000,ff800000",
    "7f800001,7fffe000", "ffc12345,7fffe000", "bf801000,bf800000", "bf803000,bf804000"
  })
  void tensorCopiesRoundWhereTheirMapSaysSo(String given, String loaded) {
    byte[] map = new byte[EncodedTensorMap.BYTES];
    Bytes.word(map, 8, 0x390);
    assertThat(EncodedTensorMap.decode(map).rounded()).isFalse();
    Bytes.word(map, 8, 0x10390);
    assertThat(EncodedTensorMap.decode(map).rounded()).isTrue();
    assertThat(PackedConversion.nearestTensor(Integer.parseUnsignedInt(given, 16)))
        .isEqualTo(Integer.parseUnsignedInt(loaded, 16));
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    int c = in.read();
    while (c >= 0 && c != '\n') {
      text.append((char) c);
      c = in.read();
    }
    return text.toString();
  }

  private static int element(DataInputStream in, int bytes) throws IOException {
    int value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= in.readUnsignedByte() << 8 * i;
    }
    return value;
  }
}
