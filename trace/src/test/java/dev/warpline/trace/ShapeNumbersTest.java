package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShapeNumbersTest {
  /** A list behind something else, as it stands in a block's words. */
  private static long[] list(long first, long... distances) {
    long[] words = new long[2 + distances.length];
    words[1] = first;
    for (int i = 0; i < distances.length; i++) {
      words[2 + i] = first + distances[i];
    }
    return words;
  }

  private static int number(ShapeNumbers numbers, long[] list) {
    return numbers.of(list, 1, list.length - 1);
  }

  @Test
  void listsWhoseLanesAreAsFarApartHaveOneNumberWhereverTheyBegin() {
    ShapeNumbers numbers = new ShapeNumbers();
    int first = number(numbers, list(0x1000, 4, 64, -8));
    assertThat(first).isNotEqualTo(ShapeNumbers.NONE);
    assertThat(number(numbers, list(0x7f00_0000_0040L, 4, 64, -8))).isEqualTo(first);
    assertThat(number(numbers, list(0x1000, 4, 64, -4))).isNotEqualTo(first);
    assertThat(number(numbers, list(0x1000, 4, 64))).isNotEqualTo(first);
  }

  @Test
  void thereAreSoManyNumbersAndThoseThatWereGivenStay() {
    ShapeNumbers numbers = new ShapeNumbers();
    Set<Integer> given = new HashSet<>();
    int without = 0;
    for (int i = 1; i <= 5_000; i++) {
      int number = number(numbers, list(0, i, 3L * i * i));
      if (number == ShapeNumbers.NONE) {
        without++;
      } else {
        assertThat(given.add(number)).isTrue();
      }
    }
    assertThat(without).isEqualTo(5_000 - given.size()).isPositive();
    assertThat(number(numbers, list(99, 7, 3L * 7 * 7))).isEqualTo(7);
  }
}
