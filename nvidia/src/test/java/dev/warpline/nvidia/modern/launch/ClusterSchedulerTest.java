package dev.warpline.nvidia.modern.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.Dim3;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterSchedulerTest {
  private static final long LATER = 1_000_000;

  private static ClusterScheduler scheduler(int places, Dim3 grid, Dim3 cluster)
      throws IOException {
    GpuDescription gpu = Gpus.load("h200");
    return new ClusterScheduler(gpu.modern().launch(), Topology.of(gpu), places, grid, cluster);
  }

  @Test
  void theBlocksOfAClusterStartTogetherOnDifferentSmsOfOneGroup() throws IOException {
    ClusterScheduler scheduler = scheduler(2, new Dim3(8, 1, 1), new Dim3(4, 1, 1));
    Set<Integer> sms = new HashSet<>();
    long start = -1;
    for (int rank = 0; rank < 4; rank++) {
      assertThat(scheduler.next(LATER)).isTrue();
      assertThat(scheduler.rank).isEqualTo(rank);
      assertThat(scheduler.block).isEqualTo(rank);
      assertThat(start == -1 || scheduler.time == start).isTrue();
      start = scheduler.time;
      sms.add(scheduler.sm);
    }
    assertThat(sms).hasSize(4);
    boolean together =
        Topology.of(Gpus.load("h200")).groups().stream().anyMatch(group -> group.containsAll(sms));
    assertThat(together).isTrue();
  }

  @Test
  void aBlockSchedulerThatClustersCannotFollowIsRefused() throws IOException {
    GpuDescription gpu = Gpus.load("h200", List.of("modern.launch.blockScheduler=depth-first"));
    assertThatThrownBy(
            () ->
                new ClusterScheduler(
                    gpu.modern().launch(),
                    Topology.of(gpu),
                    2,
                    new Dim3(8, 1, 1),
                    new Dim3(4, 1, 1)))
        .hasMessageStartingWith(
            "modern.launch.blockScheduler: found depth-first, expected longest-free");
  }

  @Test
  void asManyClustersRunAsTheHardwareHolds() throws IOException {
    // Measured with two blocks per SM: 132 clusters of 2, 62 of 4, 30 of 8, 14 of 16.
    assertThat(resident(2)).isEqualTo(132);
    assertThat(resident(4)).isEqualTo(62);
    assertThat(resident(8)).isEqualTo(30);
    assertThat(resident(16)).isEqualTo(14);
  }

  private static int resident(int size) throws IOException {
    ClusterScheduler scheduler = scheduler(2, new Dim3(size * 200, 1, 1), new Dim3(size, 1, 1));
    int blocks = 0;
    while (scheduler.next(LATER)) {
      blocks++;
    }
    return blocks / size;
  }

  @Test
  void aPlaceThatComesFreeTakesTheNextCluster() throws IOException {
    ClusterScheduler scheduler = scheduler(1, new Dim3(400, 1, 1), new Dim3(2, 1, 1));
    int[] sms = null;
    int[] places = null;
    while (scheduler.next(LATER)) {
      sms = scheduler.clusterSms;
      places = scheduler.clusterPlaces;
    }
    assertThat(scheduler.nextTime()).isGreaterThanOrEqualTo(Warps.NEVER);
    scheduler.release(sms[0], places[0], 5000);
    scheduler.release(sms[1], places[1], 6000);
    assertThat(scheduler.nextTime()).isGreaterThan(6000);
    assertThat(scheduler.next(LATER)).isTrue();
    assertThat(scheduler.clusterSms).containsExactlyInAnyOrder(sms[0], sms[1]);
  }

  @Test
  void clustersOfSeveralDimensionsAreTilesOfTheGrid() throws IOException {
    ClusterScheduler scheduler = scheduler(4, new Dim3(4, 4, 1), new Dim3(2, 2, 1));
    long[] blocks = new long[8];
    for (int i = 0; i < 8; i++) {
      scheduler.next(LATER);
      blocks[i] = scheduler.block;
    }
    assertThat(Arrays.copyOf(blocks, 4)).containsExactly(0, 1, 4, 5);
    assertThat(Arrays.copyOfRange(blocks, 4, 8)).containsExactly(2, 3, 6, 7);
  }
}
