package dev.warpline.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every replacement policy must do, and what each of them does. */
class ReplacementTest {
  private static final Policies<Replacement> ALL = Policies.of(Replacement.class);

  /** Every policy that can be named, also one that somebody adds; numbers are a seed. */
  static List<String> words() {
    return ALL.choices().stream()
        .map(choice -> choice.name() + (choice.about().contains(":SEED") ? ":7" : ""))
        .toList();
  }

  private static Replacement full(String words, int sets, int ways) {
    Replacement policy = ALL.maker(words).get();
    fill(policy, sets, ways);
    return policy;
  }

  private static void fill(Replacement policy, int sets, int ways) {
    policy.begin(sets, ways);
    for (int set = 0; set < sets; set++) {
      for (int way = 0; way < ways; way++) {
        policy.filled(set, way);
      }
    }
  }

  @Test
  void theUsualOnesAreThere() {
    assertThat(words()).contains("lru", "fifo", "tree-plru", "random:7", "srrip");
  }

  @ParameterizedTest
  @MethodSource("words")
  void aVictimIsAWayThatMayLeave(String words) {
    for (int ways : new int[] {1, 2, 3, 4, 7, 16, 33}) {
      Replacement policy = full(words, 5, ways);
      Random random = new Random(ways);
      for (int i = 0; i < 2000; i++) {
        int set = random.nextInt(5);
        long may = random.nextLong() & (1L << ways) - 1;
        int victim = policy.victim(set, (s, way) -> s == set && (may >>> way & 1) != 0);
        if (may == 0) {
          assertThat(victim).isEqualTo(Replacement.NONE);
        } else {
          assertThat(victim).isBetween(0, ways - 1);
          assertThat(may >>> victim & 1).isEqualTo(1);
          policy.filled(set, victim);
        }
        policy.used(set, random.nextInt(ways));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("words")
  void askingChangesNothing(String words) {
    Replacement asked = full(words, 3, 6);
    Replacement other = full(words, 3, 6);
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      int set = random.nextInt(3);
      asked.victim(random.nextInt(3), (s, way) -> way % 2 == 0);
      asked.victim(set, Replacement.Lines.ALL);
      int victim = asked.victim(set, Replacement.Lines.ALL);
      assertThat(victim).isEqualTo(other.victim(set, Replacement.Lines.ALL));
      asked.filled(set, victim);
      other.filled(set, victim);
      int used = random.nextInt(6);
      asked.used(set, used);
      other.used(set, used);
    }
  }

  @ParameterizedTest
  @MethodSource("words")
  void itChoosesTheSameAfterItStartedAgain(String words) {
    Replacement policy = full(words, 4, 8);
    List<Integer> first = choices(policy);
    fill(policy, 4, 8);
    assertThat(choices(policy)).isEqualTo(first);
    fill(policy, 2, 16);
    fill(policy, 4, 8);
    assertThat(choices(policy)).isEqualTo(first);
  }

  private static List<Integer> choices(Replacement policy) {
    List<Integer> choices = new ArrayList<>();
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      int set = random.nextInt(4);
      int victim = policy.victim(set, Replacement.Lines.ALL);
      choices.add(victim);
      policy.filled(set, victim);
      policy.used(set, random.nextInt(8));
    }
    return choices;
  }

  @ParameterizedTest
  @MethodSource("words")
  void inTheLongRunEveryWayGetsItsTurn(String words) {
    Replacement policy = full(words, 1, 8);
    boolean[] left = new boolean[8];
    for (int i = 0; i < 1000; i++) {
      int victim = policy.victim(0, Replacement.Lines.ALL);
      left[victim] = true;
      policy.filled(0, victim);
    }
    assertThat(left).containsOnly(true);
  }

  /** Four lines came into ways 0 to 3; 0 and 2 were used again, in this order. */
  @ParameterizedTest
  @CsvSource({"lru, 1 3 0 2", "fifo, 0 1 2 3", "tree-plru, 1 3 0 2", "srrip, 1 3 1 3"})
  void fourMisses(String words, String victims) {
    Replacement policy = full(words, 1, 4);
    policy.used(0, 0);
    policy.used(0, 2);
    StringBuilder order = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      int victim = policy.victim(0, Replacement.Lines.ALL);
      order.append(order.isEmpty() ? "" : " ").append(victim);
      policy.filled(0, victim);
    }
    assertThat(order).hasToString(victims);
  }

  @ParameterizedTest
  @CsvSource({"lru", "tree-plru", "srrip"})
  void theLineUsedLastStays(String words) {
    Replacement policy = full(words, 1, 8);
    Random random = new Random(5);
    for (int i = 0; i < 500; i++) {
      int used = random.nextInt(8);
      policy.used(0, used);
      int victim = policy.victim(0, Replacement.Lines.ALL);
      assertThat(victim).isNotEqualTo(used);
      policy.filled(0, victim);
    }
  }

  @Test
  void aStreamPassesByTheLinesThatSrripHasSeenTwice() {
    Replacement srrip = full("srrip", 1, 4);
    Replacement lru = full("lru", 1, 4);
    srrip.used(0, 3);
    lru.used(0, 3);
    boolean lruKeeps = true;
    // SRRIP lets a line go that is not used during three rounds of the others; LRU after one.
    for (int i = 0; i < 5; i++) {
      int victim = srrip.victim(0, Replacement.Lines.ALL);
      assertThat(victim).isNotEqualTo(3);
      srrip.filled(0, victim);
      victim = lru.victim(0, Replacement.Lines.ALL);
      lruKeeps &= victim != 3;
      lru.filled(0, victim);
    }
    assertThat(lruKeeps).isFalse();
  }

  @Test
  void aSeedIsAChoice() {
    List<Integer> one = choices(full("random:1", 4, 8));
    assertThat(choices(full("random:1", 4, 8))).isEqualTo(one);
    assertThat(choices(full("random:2", 4, 8))).isNotEqualTo(one);
    for (int way = 0; way < 8; way++) {
      // 300 choices of eight ways: 37 each on average.
      assertThat(one.stream().filter(List.of(way)::contains).count()).isBetween(15L, 65L);
    }
    assertThatThrownBy(() -> ALL.maker("random")).hasMessageContaining("expected a seed");
  }
}
