package dev.warpline.nvidia.modern.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The register-file cache of a bank, all places at once, against one read after the other. */
class BankReadsTest {
  private static final int PLACES = CodeRow.READ_IN_WINDOW;

  @Test
  void allPlacesAtOnceAreAsOneAfterTheOther() {
    Random random = new Random(7);
    int[] plain = new int[PLACES];
    Arrays.fill(plain, -1);
    long cache = BankReads.NOTHING;
    int found = 0;
    for (int step = 0; step < 100_000; step++) {
      BankReads reads = new BankReads();
      int warp = random.nextInt(3) == 0 ? 63 : random.nextInt(2);
      int hits = 0;
      int left = 0;
      for (int position = 0; position < PLACES; position++) {
        int first = random.nextInt(4) == 0 ? 255 - random.nextInt(4) : random.nextInt(4);
        int words = random.nextInt(3);
        boolean kept = random.nextBoolean();
        for (int word = 0; word < words; word++) {
          int register = first + 2 * word & 0xff;
          boolean again = random.nextInt(4) == 0;
          reads.add(position, register, again, kept);
          boolean hit = plain[position] == (warp << 8 | register);
          hits += hit ? 1 : 0;
          left += hit || again ? 0 : 1;
          plain[position] = kept ? warp << 8 | register : -1;
        }
      }
      long its = reads.hits(cache, BankReads.tags(warp));
      assertThat(Long.bitCount(its)).isEqualTo(hits);
      assertThat(reads.left(its)).isEqualTo(left);
      cache = reads.keep(cache, BankReads.tags(warp));
      found += hits;
    }
    assertThat(found).isGreaterThan(1_000);
  }
}
