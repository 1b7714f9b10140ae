package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LinkDramTest {
  /** Late answers come at the same cycles as if a remainder had been taken. */
  @Test
  void whatADivisionLeavesIsTheRemainderToTheLastBit() {
    Random random = new Random(5);
    for (int i = 0; i < 1_000_000; i++) {
      long by = 1 + random.nextInt(10_000);
      double time = random.nextDouble() * (1L << random.nextInt(45));
      if (i % 3 == 0) {
        // Next to a multiple, where the quotient may be rounded up.
        time =
            Math.nextAfter((double) (by * (1L + random.nextInt(1 << 20))), i % 2 == 0 ? 0 : 1e18);
      }
      assertThat(LinkDram.rest(time, by)).isEqualTo(time % by);
    }
  }
}
