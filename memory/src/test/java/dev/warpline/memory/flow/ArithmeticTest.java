package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.policy.hash.Divisor;
import dev.warpline.policy.hash.Mix;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** What the memory side uses instead of divisions and maps gives the same answers. */
class ArithmeticTest {
  @Property(tries = 500)
  void aDivisorDivides(
      @ForAll @LongRange(min = 0, max = (1L << 57) - 1) long x,
      @ForAll @IntRange(min = 1, max = 1 << 22) int by) {
    Divisor divisor = new Divisor(by);
    assertThat(divisor.quotient(x)).isEqualTo(x / by);
    assertThat(divisor.remainder(x)).isEqualTo((int) (x % by));
  }

  @Property(tries = 100)
  void lineTimesAreAMap(@ForAll @Size(max = 300) List<@IntRange(min = 0, max = 200) Integer> use) {
    LineTimes times = new LineTimes();
    Map<Long, Double> expected = new HashMap<>();
    double now = 0;
    for (int i : use) {
      long line = 128L * i;
      int place = times.find(line, Mix.mix(i));
      assertThat(times.time(place)).isEqualTo(expected.getOrDefault(line, 0.0));
      times.set(place, ++now);
      expected.put(line, now);
    }
    times.clear();
    assertThat(times.time(times.find(0, Mix.mix(0)))).isZero();
  }

  @Property(tries = 100)
  void aLaneGivesTheFirstRoomThatIsFree(
      @ForAll @Size(max = 400) List<@IntRange(min = 0, max = 600) Integer> when) {
    Lane lane = new Lane();
    double[] used = new double[1000];
    for (int time : when) {
      // Reservations of four cycles never straddle the buckets of sixteen.
      int bucket = time / 16;
      while (used[bucket] == 16) {
        bucket++;
      }
      double start = Math.max(time, 16 * bucket + used[bucket]);
      used[bucket] += 4;
      assertThat(lane.reserve(time, 4)).isEqualTo(start + 4);
    }
  }
}
