package dev.warpline.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where blocks go on six SMs: two lone ones, 4 and 5, and GPCs of 0 and 1, and of 2 and 3. */
class BlockSchedulerTest {
  private static final int PLACES = 2;

  static List<String> names() {
    return Policies.of(BlockScheduler.class).choices().stream().map(Policies.Choice::name).toList();
  }

  /** SMs with a number of places each. */
  private static final class Gpu implements BlockScheduler.Sms {
    final BlockScheduler scheduler;
    final int[] resident = new int[6];
    final long[] busy = new long[6];

    Gpu(String name) {
      scheduler = Policies.of(BlockScheduler.class).maker(name).get();
      scheduler.begin(this, PLACES, 0);
    }

    @Override
    public int[][] groups() {
      return new int[][] {{4, 5}, {0, 1}, {2, 3}};
    }

    @Override
    public int ahead() {
      return 1;
    }

    @Override
    public int blocks(int sm) {
      return resident[sm];
    }

    @Override
    public boolean hasRoom(int sm) {
      return resident[sm] < PLACES;
    }

    @Override
    public long busyUntil(int sm) {
      return busy[sm];
    }

    List<Integer> give(int blocks, long now) {
      List<Integer> all = new ArrayList<>();
      for (int i = 0; i < blocks; i++) {
        int sm = scheduler.choose(now);
        all.add(sm);
        resident[sm]++;
        scheduler.given(sm);
      }
      return all;
    }

    void end(int sm, long now) {
      resident[sm]--;
      scheduler.freed(sm, now);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyPlaceOfAGpuIsFilledAndNoneTwice(String name) {
    Gpu gpu = new Gpu(name);
    gpu.give(6 * PLACES, 100);
    assertThat(gpu.resident).containsOnly(PLACES);
    assertThat(gpu.scheduler.choose(101)).isEqualTo(BlockScheduler.NONE);
  }

  @ParameterizedTest
  @MethodSource("names")
  void theOneSmWithRoomGetsTheBlock(String name) {
    for (int sm : IntStream.range(0, 6).toArray()) {
      Gpu gpu = new Gpu(name);
      gpu.give(6 * PLACES, 100);
      gpu.end(sm, 200);
      assertThat(gpu.give(1, 200)).containsExactly(sm);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void whoTurnsOutToHaveNoRoomIsNotChosenAgainUntilItHas(String name) {
    Gpu gpu = new Gpu(name);
    int first = gpu.scheduler.choose(100);
    gpu.resident[first] = PLACES;
    assertThat(gpu.scheduler.choose(100)).isNotEqualTo(first);
    gpu.resident[first] = 0;
    Arrays.fill(gpu.resident, PLACES);
    gpu.resident[first] = PLACES - 1;
    assertThat(gpu.scheduler.choose(100)).isEqualTo(first);
  }

  @Test
  void roundRobinGoesByNumber() {
    assertThat(new Gpu("round-robin").give(8, 100)).containsExactly(0, 1, 2, 3, 4, 5, 0, 1);
  }

  @Test
  void depthFirstFillsAnSmBeforeTheNext() {
    assertThat(new Gpu("depth-first").give(6, 100)).containsExactly(4, 4, 5, 5, 0, 0);
  }

  @Test
  void breadthFirstGivesEachGpcABlockInTurn() {
    assertThat(new Gpu("breadth-first").give(7, 100)).containsExactly(4, 0, 2, 5, 1, 3, 4);
  }

  @Test
  void longestFreeFillsGpcAfterGpcAndBeginsEachRoundWithAnother() {
    assertThat(new Gpu("longest-free").give(12, 100))
        .containsExactly(4, 5, 0, 1, 2, 3, 4, 5, 2, 3, 0, 1);
  }

  @Test
  void longestFreeTakesTheSmWhereRoomCameFreeFirst() {
    Gpu gpu = new Gpu("longest-free");
    gpu.give(12, 100);
    gpu.end(1, 300);
    gpu.end(4, 290);
    gpu.end(3, 280);
    assertThat(gpu.give(3, 400)).containsExactly(3, 4, 1);
  }

  @Test
  void longestFreePassesOverAnSmThatIsTakingABlock() {
    Gpu gpu = new Gpu("longest-free");
    gpu.busy[4] = 150;
    assertThat(gpu.give(1, 100)).containsExactly(5);
    assertThat(gpu.scheduler.choose(150)).isNotEqualTo(4);
  }
}
