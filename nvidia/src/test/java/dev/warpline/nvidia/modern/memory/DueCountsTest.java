package dev.warpline.nvidia.modern.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DueCountsTest {
  @Test
  void sectorsAreForgottenInTheCycleOfTheirAnswerHoweverFarAheadThatIs() {
    DueCounts stores = new DueCounts();
    TreeMap<Long, Integer> expected = new TreeMap<>();
    Random random = new Random(5);
    long now = 0;
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(3) > 0) {
        long when = now + 1 + random.nextInt(random.nextInt(50) == 0 ? 40_000 : 700);
        int sectors = 1 + random.nextInt(4);
        stores.add(when, sectors);
        expected.merge(when, sectors, Integer::sum);
      } else {
        now += random.nextInt(200);
        int over = expected.headMap(now, true).values().stream().mapToInt(n -> n).sum();
        expected.headMap(now, true).clear();
        assertThat(stores.take(now)).isEqualTo(over);
      }
      assertThat(stores.next()).isEqualTo(expected.isEmpty() ? Warps.NEVER : expected.firstKey());
    }
  }

  @Test
  void anAnswerThatComesLateCountsInTheNextCycle() {
    DueCounts stores = new DueCounts();
    assertThat(stores.take(100)).isZero();
    stores.add(90, 4);
    assertThat(stores.next()).isEqualTo(101);
    assertThat(stores.take(101)).isEqualTo(4);
    assertThat(stores.next()).isEqualTo(Warps.NEVER);
  }

  @Test
  void aCycleMayHaveMoreThanACountHolds() {
    DueCounts stores = new DueCounts();
    for (int i = 0; i < 3; i++) {
      stores.add(7, 40_000);
    }
    assertThat(stores.take(6)).isZero();
    assertThat(stores.take(7)).isEqualTo(120_000);
    assertThat(stores.next()).isEqualTo(Warps.NEVER);
  }
}
