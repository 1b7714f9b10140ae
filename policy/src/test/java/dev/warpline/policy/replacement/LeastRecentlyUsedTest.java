package dev.warpline.policy.replacement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeastRecentlyUsedTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 8, 15, 16, 17, 40})
  void theLineWhoseUseIsLongestAgoLeavesAmongThoseThatMay(int ways) {
    LeastRecentlyUsed lru = new LeastRecentlyUsed();
    lru.begin(3, ways);
    Random random = new Random(ways);
    List<List<Integer>> byUse = new ArrayList<>();
    for (int set = 0; set < 3; set++) {
      byUse.add(new ArrayList<>());
      for (int way = 0; way < ways; way++) {
        lru.filled(set, way);
        byUse.get(set).add(way);
      }
    }
    for (int i = 0; i < 2_000; i++) {
      int set = random.nextInt(3);
      Integer used = random.nextInt(ways);
      lru.used(set, used);
      byUse.get(set).remove(used);
      byUse.get(set).add(used);
      assertThat(lru.victim(set, (s, w) -> true)).isEqualTo(byUse.get(set).get(0));
      int least = random.nextInt(ways);
      assertThat(lru.victim(set, (s, w) -> w >= least))
          .isEqualTo(byUse.get(set).stream().filter(way -> way >= least).findFirst().orElseThrow());
    }
    assertThat(lru.victim(0, (s, w) -> false)).isEqualTo(LeastRecentlyUsed.NONE);
  }
}
