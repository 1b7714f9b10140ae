package dev.warpline.engine.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeBucketsTest {
  private static final long ORIGIN = 1_000;
  private static final int SERIES = 3;

  /** Adds amounts and spans here and there, and the same cycle by cycle. */
  private static void fill(TimeBuckets buckets, long[][] cycles, long seed) {
    Random random = new Random(seed);
    int length = cycles[0].length;
    for (int i = 0; i < 2_000; i++) {
      int serie = random.nextInt(SERIES);
      // Time moves on, with a look back now and then; a few begin before the origin.
      int from = Math.max(-20, (int) ((long) length * i / 2_000) - random.nextInt(300));
      if (random.nextBoolean()) {
        buckets.add(serie, ORIGIN + from, i);
        cycles[serie][Math.max(0, from)] += i;
      } else {
        int until = Math.min(length, from + random.nextInt(random.nextBoolean() ? 40 : 5_000));
        buckets.addSpan(serie, ORIGIN + from, ORIGIN + Math.max(from, until));
        for (int cycle = from; cycle < until; cycle++) {
          cycles[serie][Math.max(0, cycle)]++;
        }
      }
    }
  }

  private static void assertSame(TimeBuckets buckets, long[][] cycles) {
    int width = (int) buckets.bucketCycles();
    for (int serie = 0; serie < SERIES; serie++) {
      long[] found = buckets.series(serie);
      for (int bucket = 0; bucket < found.length; bucket++) {
        long sum = 0;
        for (int i = bucket * width; i < Math.min((bucket + 1) * width, cycles[0].length); i++) {
          sum += cycles[serie][i];
        }
        assertThat(found[bucket]).as("series %d, bucket %d", serie, bucket).isEqualTo(sum);
      }
      for (int i = found.length * width; i < cycles[0].length; i++) {
        assertThat(cycles[serie][i]).isZero();
      }
    }
  }

  /** Short enough to need no wider buckets, and long enough to need them several times. */
  @ParameterizedTest
  @ValueSource(ints = {8_000, 60_000, 1_000_000})
  void everyCycleOfASpanIsInItsBucketHoweverOftenTheyWiden(int length) {
    TimeBuckets buckets = new TimeBuckets(SERIES, ORIGIN);
    long[][] cycles = new long[SERIES][length];
    fill(buckets, cycles, length);
    assertSame(buckets, cycles);
  }

  @Test
  void theSumOfTwoIsThatOfTheirCycles() {
    TimeBuckets all = new TimeBuckets(SERIES, ORIGIN);
    TimeBuckets shorter = new TimeBuckets(SERIES, ORIGIN);
    long[][] cycles = new long[SERIES][300_000];
    long[][] first = new long[SERIES][20_000];
    fill(shorter, first, 1);
    fill(all, cycles, 2);
    all.addAll(shorter);
    for (int serie = 0; serie < SERIES; serie++) {
      for (int i = 0; i < first[0].length; i++) {
        cycles[serie][i] += first[serie][i];
      }
    }
    assertSame(all, cycles);
    assertThat(all.sum(1, ORIGIN, ORIGIN + all.used() * all.bucketCycles()))
        .isEqualTo(java.util.Arrays.stream(cycles[1]).sum());
  }
}
