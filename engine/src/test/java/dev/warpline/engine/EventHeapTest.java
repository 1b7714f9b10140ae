package dev.warpline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class EventHeapTest {
  @Property(tries = 200)
  void eventsLeaveByTimeAndThoseOfOneTimeAsTheyCame(
      @ForAll @Size(max = 100) List<@IntRange(max = 20) Integer> times) {
    EventHeap heap = new EventHeap();
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      heap.add(times.get(i), i);
      expected.add(i);
    }
    expected.sort(Comparator.comparingInt(times::get));
    for (int number : expected) {
      assertThat(heap.nextTime()).isEqualTo(times.get(number).longValue());
      assertThat(heap.remove()).isEqualTo(number);
    }
    assertThat(heap.isEmpty()).isTrue();
  }

  @Property(tries = 100)
  void eventsOfOneTimeLeaveByTheirRankWhereTheyHaveOne(
      @ForAll @Size(max = 100) List<@IntRange(max = 60) Integer> numbers) {
    EventHeap heap = new EventHeap();
    heap.add(5, 5);
    heap.clear();
    for (int number : numbers) {
      heap.add(number / 20, number % 20, number);
    }
    for (int number : numbers.stream().sorted().toList()) {
      assertThat(heap.remove()).isEqualTo(number);
    }
    assertThat(heap.isEmpty()).isTrue();
  }
}
