package dev.warpline.policy.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PolynomialTest {
  @Test
  void sixteenPlacesFollowTheTable() {
    int[][] taps = {
      {0, 3, 4, 6, 8, 9, 10, 11},
      {0, 1, 3, 5, 6, 7, 8, 12},
      {1, 2, 4, 6, 7, 8, 9},
      {2, 3, 5, 7, 8, 9, 10}
    };
    assertFollows(16, taps);
  }

  @Test
  void thirtyTwoPlacesFollowTheTable() {
    int[][] taps = {
      {0, 3, 5, 6, 9, 10, 11, 12, 13},
      {1, 4, 6, 7, 10, 11, 12, 13, 14},
      {0, 2, 3, 6, 7, 8, 9, 10, 14},
      {1, 3, 4, 7, 8, 9, 10, 11},
      {2, 4, 5, 8, 9, 10, 11, 12}
    };
    assertFollows(32, taps);
  }

  @Test
  void sixtyFourPlacesFollowTheTable() {
    int[][] taps = {
      {0, 5, 6, 10, 12, 15, 16, 17, 18},
      {0, 1, 5, 7, 10, 11, 12, 13, 15},
      {1, 2, 6, 8, 11, 12, 13, 14, 16},
      {2, 3, 7, 9, 12, 13, 14, 15, 17},
      {3, 4, 8, 10, 13, 14, 15, 16, 18},
      {4, 5, 9, 11, 14, 15, 16, 17}
    };
    assertFollows(64, taps);
  }

  private static void assertFollows(int places, int[][] taps) {
    Polynomial ipoly = new Polynomial(places);
    for (int bit = 0; bit < 40; bit++) {
      int expected = 0;
      for (int i = 0; i < taps.length; i++) {
        for (int tap : taps[i]) {
          expected |= tap == bit ? 1 << i : 0;
        }
      }
      assertThat(ipoly.hash(1L << bit, 0)).as("address bit %d", bit).isEqualTo(expected);
    }
  }

  @Test
  void neighbouringBlocksOfAnyPowerOfTwoStrideSpreadOverAllPlaces() {
    for (int places = 2; places <= 256; places *= 2) {
      Polynomial ipoly = new Polynomial(places);
      Set<Integer> seen = new HashSet<>();
      for (int i = 0; i < places; i++) {
        seen.add(ipoly.hash(i, 0));
      }
      assertThat(seen).as("%d places", places).hasSize(places);
    }
  }

  @Test
  void otherNumbersOfPlacesAreRefused() {
    assertThatThrownBy(() -> new Polynomial(24))
        .hasMessageContaining("24")
        .hasMessageContaining("power");
  }
}
