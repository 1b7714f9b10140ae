package dev.warpline.nvidia.modern.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an access to global memory takes of L1's banks. */
class LaneAddressesTest {
  /** Lanes whose addresses are so far apart: lines, and passes as lines_banks.cu measured them. */
  @ParameterizedTest
  @CsvSource({
    "4, 4, 1, 1",
    "4, 8, 2, 2",
    "4, 32, 8, 8",
    "4, 128, 32, 32",
    "4, 132, 32, 1",
    "4, 4732, 32, 1",
    "4, 4736, 32, 32",
    "8, 8, 2, 2",
    "8, 136, 32, 2",
    "16, 16, 4, 4",
    "16, 512, 32, 32"
  })
  void wordsOfDifferentLinesComeTogetherIfTheirBanksDiffer(
      int bytes, int distance, int lines, int passes) {
    LaneAddresses lanes = new LaneAddresses();
    for (int i = 0; i < 32; i++) {
      lanes.address[i] = 0x10000 + (long) i * distance;
    }
    lanes.lines(-1, bytes, true);
    assertThat(lanes.lines.count).isEqualTo(lines);
    assertThat(lanes.bankPasses).isEqualTo(passes);
  }

  /** What was found for a pattern holds wherever in memory it comes again, to the last number. */
  @Test
  void aPatternThatComesAgainIsFoundAsIfForTheFirstTime() {
    LaneAddresses knows = new LaneAddresses();
    Random random = new Random(3);
    int[] widths = {1, 2, 4, 8, 16};
    Object[] readers = {new Object(), new Object(), null};
    for (int i = 0; i < 20_000; i++) {
      int bytes = widths[random.nextInt(widths.length)];
      long stride = (long) bytes * (random.nextInt(40) - 8);
      long first = 0x7f00_0000_0000L + bytes * (long) random.nextInt(100);
      int mask = random.nextBoolean() ? -1 : (1 << 1 + random.nextInt(31)) - 1;
      // Kind 1, of three words: addresses that are equally far apart.
      long[] payload = {3L << 32 | 1, first, stride};
      if (random.nextBoolean()) {
        int shape = 1 + random.nextInt(20);
        payload = list(first, Integer.bitCount(mask), shape);
      }
      Object whose = readers[random.nextInt(readers.length)];
      if (whose == readers[1]) {
        // The same number means something else there.
        Arrays.setAll(payload, notTheFirst(payload));
      }
      LaneAddresses fresh = new LaneAddresses();
      fresh.addresses(payload, whose, 0, mask);
      knows.addresses(payload, whose, 0, mask);
      boolean atomic = random.nextBoolean();
      assertThat(knows.sharedPasses(mask, bytes, atomic))
          .isEqualTo(fresh.sharedPasses(mask, bytes, atomic));
      assertThat(knows.matrixPasses(mask, 4)).isEqualTo(fresh.matrixPasses(mask, 4));
      knows.lines(mask, bytes, true);
      fresh.lines(mask, bytes, true);
      knows.countRepeats(mask);
      fresh.countRepeats(mask);
      int n = fresh.lines.count;
      assertThat(knows.lines.count).isEqualTo(n);
      assertThat(knows.bankPasses).isEqualTo(fresh.bankPasses);
      assertThat(knows.repeats).isEqualTo(fresh.repeats);
      for (int k = 0; k < n; k++) {
        assertThat(knows.lines.start[k]).isEqualTo(fresh.lines.start[k]);
        assertThat(knows.lines.touched[k]).isEqualTo(fresh.lines.touched[k]);
        assertThat(knows.repeatsIn(k, mask)).isEqualTo(fresh.repeatsIn(k, mask));
      }
    }
  }

  /** Kind 2: a list of addresses whose distances follow from the number of its shape. */
  private static long[] list(long first, int lanes, int shape) {
    Random distances = new Random(shape);
    long[] payload = new long[1 + lanes];
    payload[0] = (long) payload.length << 32 | (long) shape << 10 | 2;
    for (int i = 0; i < lanes; i++) {
      payload[1 + i] = first + (i == 0 ? 0 : 16L * distances.nextInt(64));
    }
    return payload;
  }

  private static IntToLongFunction notTheFirst(long[] payload) {
    return i -> payload[i] + (i < 2 || payload.length == 3 ? 0 : 16L * i);
  }
}
