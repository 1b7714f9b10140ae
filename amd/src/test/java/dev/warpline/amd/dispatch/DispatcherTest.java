package dev.warpline.amd.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.Binder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DispatcherTest {
  private final List<GroupPlacement> placed = new ArrayList<>();

  private static AmdSpec spec(String yaml) {
    try {
      return Binder.read(AmdSpec.class, yaml, "test");
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DispatchTask task(int id, int groups, int groupSize, GroupDemand demand) {
    return new DispatchTask(
        id,
        0,
        id,
        "kernel",
        new int[] {groups * groupSize, 1, 1},
        new int[] {groupSize, 1, 1},
        demand);
  }

  @Test
  void groupsGoRoundRobinOverTheComputeUnits() {
    Dispatcher dispatcher = new Dispatcher(spec("{computeUnits: 3}"), placed::add);
    dispatcher.submit(task(0, 7, 64, new GroupDemand(8, 16, 0)), 0);
    assertThat(placed).extracting(GroupPlacement::cu).containsExactly(0, 1, 2, 0, 1, 2, 0);
    assertThat(placed)
        .extracting(GroupPlacement::index)
        .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void diesThatWouldHaveNoComputeUnitAreNotThere() {
    AmdSpec spec = spec("{computeUnits: 2, complexes: 8}");
    assertThat(spec.dies()).isEqualTo(2);
    Dispatcher dispatcher = new Dispatcher(spec, placed::add);
    dispatcher.submit(task(0, 4, 64, new GroupDemand(8, 16, 0)), 0);
    assertThat(placed).extracting(GroupPlacement::cu).containsExactly(0, 1, 0, 1);
  }

  @Test
  void theWavesOfAGroupSpreadOverTheSimdsFirst() {
    Dispatcher dispatcher = new Dispatcher(spec("{computeUnits: 1}"), placed::add);
    dispatcher.submit(task(0, 1, 384, new GroupDemand(8, 16, 0)), 0);
    assertThat(placed.get(0).slots()).containsExactly(0, 10, 20, 30, 1, 11);
  }

  @Test
  void aRegisterFileOf256HoldsEightWavesOf32Registers() {
    AmdSpec vega = spec("{computeUnits: 1, registers: {vectorRegisters: 256}}");
    Dispatcher dispatcher = new Dispatcher(vega, placed::add);
    DispatchTask task = task(0, 100, 64, new GroupDemand(32, 16, 0));
    dispatcher.submit(task, 0);
    assertThat(placed).hasSize(4 * 8);
    assertThat(dispatcher.limiter(task)).isEqualTo("registers");
  }

  @Test
  void anEndedWaveMakesRoomForTheNextGroup() {
    Dispatcher dispatcher = new Dispatcher(spec("{computeUnits: 1}"), placed::add);
    dispatcher.submit(task(0, 41, 64, new GroupDemand(8, 16, 0)), 0);
    assertThat(placed).hasSize(40);
    assertThat(dispatcher.waveEnded(0, 17, 500)).isNull();
    assertThat(placed).hasSize(41);
    assertThat(placed.get(40).slots()).containsExactly(17);
    assertThat(placed.get(40).cycle()).isEqualTo(500 + 50);
  }

  @Test
  void ldsLimitsGroups() {
    Dispatcher dispatcher = new Dispatcher(spec("{computeUnits: 2}"), placed::add);
    dispatcher.submit(task(0, 9, 64, new GroupDemand(8, 16, 20_000)), 0);
    assertThat(placed).hasSize(2 * 3);
    assertThat(dispatcher.statistics().get("blockedByLds")).isEqualTo(2L);
  }

  @Test
  void barrierSlotsLimitGroupsOfSeveralWaves() {
    Dispatcher dispatcher =
        new Dispatcher(spec("{computeUnits: 1, waves: {barrierSlots: 3}}"), placed::add);
    dispatcher.submit(task(0, 9, 128, new GroupDemand(8, 16, 0)), 0);
    assertThat(placed).hasSize(3);
  }

  @Test
  void theSimplePolicyGivesAGroupOnlyEmptySimds() {
    Dispatcher dispatcher =
        new Dispatcher(spec("{computeUnits: 1, registers: {policy: simple}}"), placed::add);
    dispatcher.submit(task(0, 3, 256, new GroupDemand(8, 16, 0)), 0);
    assertThat(placed).hasSize(1);
    dispatcher.waveEnded(0, 10, 100);
    assertThat(placed).hasSize(2);
    assertThat(placed.get(1).slots()).as("all on SIMD 1").containsExactly(10, 11, 12, 13);
  }

  @Test
  void aKernelThatCannotPlaceItsNextGroupLetsTheNextOneTry() {
    Dispatcher dispatcher = new Dispatcher(spec("{computeUnits: 1}"), placed::add);
    dispatcher.submit(task(0, 3, 64, new GroupDemand(8, 16, 60_000)), 0);
    dispatcher.submit(task(1, 2, 64, new GroupDemand(8, 16, 0)), 10);
    assertThat(placed).extracting(p -> p.task().id()).containsExactly(0, 1, 1);
  }

  @Test
  void theLastWaveOfTheLastGroupFinishesTheKernel() {
    Dispatcher dispatcher = new Dispatcher(spec("{computeUnits: 1}"), placed::add);
    DispatchTask task = task(0, 1, 128, new GroupDemand(8, 16, 0));
    dispatcher.submit(task, 0);
    assertThat(dispatcher.waveEnded(0, 10, 300)).isNull();
    assertThat(dispatcher.waveEnded(0, 0, 400)).isSameAs(task);
    assertThat(task.endCycle()).isEqualTo(400);
  }

  @Test
  void groupsAtTheEdgeOfTheGridAreSmaller() {
    DispatchTask task =
        new DispatchTask(
            0,
            0,
            0,
            "kernel",
            new int[] {100, 3, 1},
            new int[] {64, 2, 1},
            new GroupDemand(8, 16, 0));
    assertThat(task.groups()).isEqualTo(4);
    assertThat(task.items(3, 0)).isEqualTo(36);
    assertThat(task.items(3, 1)).isEqualTo(1);
    assertThat(task.waves(0)).isEqualTo(2);
    assertThat(task.waves(3)).isEqualTo(1);
  }
}
