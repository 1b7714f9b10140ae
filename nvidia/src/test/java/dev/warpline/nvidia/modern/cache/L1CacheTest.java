package dev.warpline.nvidia.modern.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.policy.hash.Fermi;
import dev.warpline.policy.hash.Scatter;
import dev.warpline.policy.replacement.LeastRecentlyUsed;
import org.junit.jupiter.api.Test;

/** Tags of the SM's data cache. */
class L1CacheTest {
  private static final int LINE = 128;

  /** A cache of one set, so that every line meets every other. */
  private static L1Cache oneSet(int ways) {
    L1Cache cache = new L1Cache(ways, new LeastRecentlyUsed(), new Scatter());
    cache.resize(ways * LINE);
    return cache;
  }

  private static int find(L1Cache cache, long line) {
    cache.look(new long[] {line}, 1);
    return cache.find(0);
  }

  private static long line(int number) {
    return (long) number * LINE;
  }

  @Test
  void aLineIsThereAfterItWasAllocatedAndNotBefore() {
    L1Cache cache = oneSet(4);
    assertThat(find(cache, line(7))).isEqualTo(L1Cache.NONE);
    int place = cache.allocate(line(7));
    assertThat(find(cache, line(7))).isEqualTo(place);
    assertThat(cache.line(place)).isEqualTo(line(7));
    assertThat(find(cache, line(8))).isEqualTo(L1Cache.NONE);
  }

  @Test
  void onlyTheWordsThatCameAreValid() {
    L1Cache cache = oneSet(1);
    assertThat(find(cache, line(0))).isEqualTo(L1Cache.NONE);
    int place = cache.allocate(line(0));
    assertThat(cache.valid(place)).isZero();
    cache.makeValid(place, 0xff);
    cache.makeValid(place, 0xff00_0000);
    assertThat(cache.valid(place)).isEqualTo(0xff00_00ff);
    cache.drop(place, 0x0f);
    assertThat(cache.valid(place)).isEqualTo(0xff00_00f0);
  }

  @Test
  void everySectorOfALineHasItsOwnArrival() {
    L1Cache cache = oneSet(2);
    assertThat(find(cache, line(0))).isEqualTo(L1Cache.NONE);
    int first = cache.allocate(line(0));
    int second = cache.allocate(line(1));
    cache.setFill(first, 3, 500);
    cache.setFill(second, 0, 700);
    assertThat(cache.fill(first, 3)).isEqualTo(500);
    assertThat(cache.fill(first, 0)).isZero();
    assertThat(cache.fill(second, 0)).isEqualTo(700);
    assertThat(cache.fill(second, 3)).isZero();
  }

  @Test
  void aSetHoldsAsManyLinesAsItHasWays() {
    L1Cache cache = oneSet(4);
    assertThat(find(cache, line(0))).isEqualTo(L1Cache.NONE);
    for (int i = 0; i < 4; i++) {
      cache.allocate(line(i));
    }
    for (int i = 0; i < 4; i++) {
      assertThat(find(cache, line(i))).isNotEqualTo(L1Cache.NONE);
    }
  }

  @Test
  void theLineThatWasNotUsedForLongestMakesRoom() {
    L1Cache cache = oneSet(3);
    assertThat(find(cache, line(0))).isEqualTo(L1Cache.NONE);
    for (int i = 0; i < 3; i++) {
      cache.allocate(line(i));
    }
    find(cache, line(0));
    int place = find(cache, line(1));
    find(cache, line(0));
    cache.allocate(line(3));
    assertThat(find(cache, line(2))).isEqualTo(L1Cache.NONE);
    assertThat(find(cache, line(0))).isNotEqualTo(L1Cache.NONE);
    assertThat(find(cache, line(1))).isEqualTo(place);
  }

  @Test
  void aLineThatComesIntoAUsedPlaceStartsWithoutWordsAndArrivals() {
    L1Cache cache = oneSet(1);
    assertThat(find(cache, line(0))).isEqualTo(L1Cache.NONE);
    int place = cache.allocate(line(0));
    cache.makeValid(place, -1);
    cache.setFill(place, 2, 900);
    assertThat(cache.allocate(line(1))).isEqualTo(place);
    assertThat(cache.valid(place)).isZero();
    assertThat(cache.fill(place, 2)).isZero();
  }

  @Test
  void linesInARowSpreadOverTheSetsOfACacheOf128KiB() {
    L1Cache cache = new L1Cache(4, new LeastRecentlyUsed(), new Scatter());
    cache.resize(128 << 10);
    int kept = 0;
    for (int i = 0; i < 512; i++) {
      if (find(cache, line(i)) == L1Cache.NONE) {
        cache.allocate(line(i));
      }
    }
    for (int i = 0; i < 512; i++) {
      kept += find(cache, line(i)) == L1Cache.NONE ? 0 : 1;
    }
    // Half of its 1024 lines: with 256 sets hardly one of them gets more than four.
    assertThat(kept).isBetween(490, 512);
  }

  @Test
  void resizingEmptiesIt() {
    L1Cache cache = oneSet(4);
    assertThat(find(cache, line(0))).isEqualTo(L1Cache.NONE);
    cache.allocate(line(0));
    cache.resize(8 * LINE);
    assertThat(find(cache, line(0))).isEqualTo(L1Cache.NONE);
  }

  @Test
  void aHashThatDoesNotFitItsSetsIsToldByItsField() {
    L1Cache odd = new L1Cache(4, new LeastRecentlyUsed(), new Fermi());
    odd.resize(93 * 4 * 128);
    assertThatThrownBy(() -> find(odd, 0))
        .hasMessage("modern.loadStore.l1SetIndex: found an L1 of 93 sets, expected 32 or 64");
  }
}
