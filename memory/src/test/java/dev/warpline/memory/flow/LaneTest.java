package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** A resource that is reserved ahead of time. */
class LaneTest {
  @Test
  void anEarlyReservationIsNotHeldUpByALateOne() {
    Lane lane = new Lane();
    assertThat(lane.reserve(1000, 4)).isEqualTo(1004);
    assertThat(lane.reserve(10, 4)).isEqualTo(14);
  }

  @Test
  void reservationsForOneTimeQueueUp() {
    Lane lane = new Lane();
    double last = 0;
    for (int i = 0; i < 100; i++) {
      last = lane.reserve(0, 3);
    }
    assertThat(last).isBetween(300.0, 316.0);
  }

  @Property(tries = 200)
  void nothingIsServedBeforeItComesNorFasterThanTheLane(
      @ForAll @Size(min = 1, max = 60) java.util.List<@IntRange(max = 2000) Integer> times) {
    Lane lane = new Lane();
    double last = 0;
    for (int time : times) {
      double end = lane.reserve(time, 2.5);
      assertThat(end).isGreaterThanOrEqualTo(time + 2.5);
      last = Math.max(last, end);
    }
    assertThat(last).isGreaterThanOrEqualTo(2.5 * times.size() - 16);
  }
}
