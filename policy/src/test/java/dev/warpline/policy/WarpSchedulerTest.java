package dev.warpline.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each scheduler does with four warps that came in the order 2, 0, 3, 1. */
class WarpSchedulerTest {
  private static final long ALL = 0b1111;
  private static final Policies<WarpScheduler> SCHEDULERS = Policies.of(WarpScheduler.class);

  private static WarpScheduler scheduler(String words) {
    WarpScheduler scheduler = SCHEDULERS.maker(words).get();
    scheduler.begin(ALL);
    for (int warp : new int[] {2, 0, 3, 1}) {
      scheduler.arrived(warp);
    }
    return scheduler;
  }

  @ParameterizedTest
  @CsvSource({
    "gto, 2 2 2 2",
    "old, 2 2 2 2",
    "youngest, 1 1 1 1",
    "least-recent, 2 2 2 2",
    "lrr, 0 1 2 3",
    "rrr, 0 1 2 3",
    "two-level:2, 2 0 2 0",
    "warp-limiting:1, 2 2 2 2"
  })
  void allCanIssue(String words, String expected) {
    assertThat(issues(scheduler(words), ALL, ALL, ALL, ALL)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "gto, 2 0 0 2",
    "old, 2 0 2 0",
    "youngest, 1 3 3 1",
    "least-recent, 2 0 0 3",
    "lrr, 0 1 2 3"
  })
  void theOneThatIssuedLastCannot(String words, String expected) {
    WarpScheduler scheduler = scheduler(words);
    StringBuilder order = new StringBuilder(issues(scheduler, ALL));
    long without = ALL & ~(1L << Integer.parseInt(order.toString()));
    order.append(' ').append(issues(scheduler, without));
    order.append(' ').append(issues(scheduler, ALL));
    long last = 1L << order.charAt(order.length() - 1) - '0';
    order.append(' ').append(issues(scheduler, ALL & ~last));
    assertThat(order.toString()).isEqualTo(expected);
  }

  private static String issues(WarpScheduler scheduler, long... eligible) {
    StringBuilder order = new StringBuilder();
    for (long set : eligible) {
      int warp = scheduler.choose(set, 0, 0);
      scheduler.issued(warp);
      order.append(order.isEmpty() ? "" : " ").append(warp);
    }
    return order.toString();
  }

  @Test
  void aFavouriteIsWhatItWouldChoose() {
    for (Policies.Choice choice : SCHEDULERS.choices()) {
      boolean numbered = choice.about().contains(":N");
      WarpScheduler scheduler = scheduler(choice.name() + (numbered ? ":2" : ""));
      for (int i = 0; i < 10; i++) {
        int favourite = scheduler.favourite();
        int chosen = scheduler.choose(ALL, 0, 0);
        if (favourite != WarpScheduler.NONE) {
          assertThat(chosen).as(choice.name()).isEqualTo(favourite);
        }
        scheduler.issued(chosen);
      }
    }
  }

  @Test
  void twoLevelReplacesAWarpThatWaitsForMemory() {
    WarpScheduler scheduler = scheduler("two-level:2");
    assertThat(scheduler.choose(0b1001, 0, 0b0100)).isEqualTo(3);
  }

  @Test
  void looseRoundRobinGoesOnAfterTheLastWarp() {
    WarpScheduler scheduler = scheduler("lrr");
    scheduler.issued(63);
    assertThat(scheduler.choose(0b1010, 0, 0)).isEqualTo(1);
  }

  @Test
  void strictRoundRobinWaitsForItsWarpUnlessThatIsHeld() {
    WarpScheduler scheduler = scheduler("rrr");
    assertThat(scheduler.choose(0b0110, 0, 0)).isEqualTo(WarpScheduler.NONE);
    assertThat(scheduler.choose(0b0110, 0b0001, 0)).isEqualTo(1);
    scheduler.issued(1);
    assertThat(scheduler.choose(0b0110, 0, 0)).isEqualTo(2);
  }

  @Test
  void warpLimitingLetsTheOthersWait() {
    assertThat(scheduler("warp-limiting:1").choose(0b1011, 0, 0)).isEqualTo(WarpScheduler.NONE);
  }

  @Test
  void aWarpThatComesBackIsTheYoungest() {
    WarpScheduler scheduler = scheduler("gto");
    scheduler.issued(2);
    scheduler.left(2);
    scheduler.arrived(2);
    assertThat(scheduler.choose(ALL, 0, 0)).isZero();
  }

  @Test
  void warpsOfTheOldestBlockTakeTurnsBeforeOthers() {
    WarpScheduler scheduler = SCHEDULERS.maker("oldest-block").get();
    scheduler.begin(ALL);
    scheduler.blockArrived();
    scheduler.arrived(2);
    scheduler.arrived(0);
    scheduler.blockArrived();
    scheduler.arrived(3);
    scheduler.arrived(1);
    // The one that issued last cannot, each time.
    assertThat(issues(scheduler, ALL, ALL & ~4L, ALL & ~1L, ALL & ~5L, ALL & ~13L, ALL & ~2L))
        .isEqualTo("2 0 2 3 1 0");
  }

  @Test
  void whatCannotBeChosenIsSaid() {
    assertThatThrownBy(() -> SCHEDULERS.maker("foo"))
        .hasMessage(
            "found \"foo\", expected one of gto, least-recent, lrr, old, oldest-block, rrr,"
                + " two-level, warp-limiting, youngest");
    assertThatThrownBy(() -> SCHEDULERS.maker("two-level:x"))
        .hasMessage("found \"two-level:x\", expected a number instead of \"x\"");
    assertThatThrownBy(() -> SCHEDULERS.maker("two-level"))
        .hasMessageContaining("expected how many warps are active");
    assertThatThrownBy(() -> SCHEDULERS.maker("gto:3")).hasMessageContaining("takes no numbers");
  }
}
