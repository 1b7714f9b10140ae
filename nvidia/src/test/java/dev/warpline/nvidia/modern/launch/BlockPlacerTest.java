package dev.warpline.nvidia.modern.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.policy.BlockScheduler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where blocks go on an H200. */
class BlockPlacerTest {
  private static BlockScheduler scheduler(GpuDescription gpu) {
    return gpu.modern().launch().blockScheduler().get();
  }

  private static List<int[]> place(int blocks, int places) throws IOException {
    GpuDescription gpu = Gpus.load("h200");
    BlockPlacer scheduler =
        new BlockPlacer(scheduler(gpu), gpu.modern().launch(), Topology.of(gpu), places, 4, blocks);
    List<int[]> all = new ArrayList<>();
    while (scheduler.next(1_000_000)) {
      all.add(new int[] {scheduler.sm, (int) scheduler.time});
    }
    return all;
  }

  @Test
  void theFirstEightBlocksGoToTheLoneSms() throws IOException {
    assertThat(place(132, 8).subList(0, 8))
        .extracting(p -> p[0])
        .containsExactly(124, 125, 126, 127, 128, 129, 130, 131);
  }

  @Test
  void aGridOfOneBlockPerSmCoversEverySm() throws IOException {
    assertThat(place(132, 8)).extracting(p -> p[0]).doesNotHaveDuplicates().hasSize(132);
  }

  @Test
  void everyEmptySmGetsItsFirstBlockWithinOneTickOfTheTimer() throws IOException {
    List<int[]> all = place(1056, 8);
    assertThat(all.get(131)[1] - all.get(0)[1]).isBetween(1, 63);
  }

  @Test
  void blocksThatFollowOthersLeaveOneEvery1point21Cycles() throws IOException {
    GpuDescription gpu = Gpus.load("h200");
    BlockPlacer scheduler =
        new BlockPlacer(scheduler(gpu), gpu.modern().launch(), Topology.of(gpu), 1, 4, 264);
    for (int i = 0; i < 132; i++) {
      assertThat(scheduler.next(1_000_000)).isTrue();
    }
    assertThat(scheduler.next(1_000_000)).isFalse();
    for (int sm = 0; sm < 132; sm++) {
      scheduler.release(sm, 0, 10_000);
    }
    assertThat(scheduler.next(1_000_000)).isTrue();
    long first = scheduler.time;
    for (int i = 1; i < 132; i++) {
      assertThat(scheduler.next(1_000_000)).isTrue();
    }
    assertThat(scheduler.time - first).isBetween(156L, 162L);
  }

  /** Times between the blocks that an SM takes while nobody else takes any. */
  private static List<Long> gaps(int warpsPerBlock) throws IOException {
    GpuDescription gpu = Gpus.load("h200", List.of("sm.count=1"));
    BlockPlacer scheduler =
        new BlockPlacer(
            scheduler(gpu), gpu.modern().launch(), Topology.of(gpu), 8, warpsPerBlock, 8);
    List<Long> gaps = new ArrayList<>();
    assertThat(scheduler.next(1_000_000)).isTrue();
    for (long last = scheduler.time; scheduler.next(1_000_000); last = scheduler.time) {
      gaps.add(scheduler.time - last);
    }
    return gaps;
  }

  @Test
  void anSmTakesABlockOfFourWarpsEvery22Cycles() throws IOException {
    assertThat(gaps(4)).hasSize(7).containsOnly(22L);
  }

  @Test
  void anSmTakesABlockOf32WarpsEvery66Cycles() throws IOException {
    assertThat(gaps(32)).hasSize(7).containsOnly(66L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 131, 264, 1024})
  void aGpuOfAnyNumberOfSmsSpreadsItsBlocksOverAllOfThem(int sms) throws IOException {
    GpuDescription gpu = Gpus.load("h200", List.of("sm.count=" + sms));
    BlockPlacer scheduler =
        new BlockPlacer(scheduler(gpu), gpu.modern().launch(), Topology.of(gpu), 2, 4, 2L * sms);
    int[] blocks = new int[sms];
    while (scheduler.next(1_000_000)) {
      blocks[scheduler.sm]++;
    }
    assertThat(blocks).containsOnly(2);
  }

  private static BlockPlacer placer(String policy, int places, long blocks) throws IOException {
    GpuDescription gpu = Gpus.load("h200", List.of("modern.launch.blockScheduler=" + policy));
    return new BlockPlacer(
        scheduler(gpu), gpu.modern().launch(), Topology.of(gpu), places, 4, blocks);
  }

  @Test
  void depthFirstBlocksWaitForTheirSmAndNotForEachOther() throws IOException {
    BlockPlacer placer = placer("depth-first", 2, 4);
    List<int[]> all = new ArrayList<>();
    while (placer.next(1_000_000)) {
      all.add(new int[] {placer.sm, (int) placer.time});
    }
    assertThat(all).extracting(p -> p[0]).containsExactly(124, 124, 125, 125);
    int first = all.get(0)[1];
    assertThat(all).extracting(p -> p[1] - first).containsExactly(0, 22, 0, 22);
  }

  @Test
  void breadthFirstPutsTheFirstBlocksOnDifferentGpcs() throws IOException {
    BlockPlacer placer = placer("breadth-first", 8, 8);
    List<Integer> sms = new ArrayList<>();
    while (placer.next(1_000_000)) {
      sms.add(placer.sm);
    }
    List<List<Integer>> groups = Topology.of(Gpus.load("h200")).groups();
    assertThat(sms.subList(1, 8))
        .extracting(sm -> groups.stream().filter(group -> group.contains(sm)).findFirst())
        .doesNotHaveDuplicates();
  }

  @Test
  void roundRobinGoesByTheNumberOfTheSm() throws IOException {
    BlockPlacer placer = placer("round-robin", 8, 3);
    List<Integer> sms = new ArrayList<>();
    while (placer.next(1_000_000)) {
      sms.add(placer.sm);
    }
    assertThat(sms).containsExactly(0, 1, 2);
  }
}
