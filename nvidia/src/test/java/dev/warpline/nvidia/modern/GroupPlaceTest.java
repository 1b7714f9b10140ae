package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.Topology;
import dev.warpline.nvidia.modern.launch.GroupPlace;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** First instructions of the warps of an SM, as {@code startup.cu} found them on an H200. */
class GroupPlaceTest {
  /** Cycles between the first instructions of an SM's first and last sub-core. */
  private static long spread(int smsOfTheGpc) throws IOException {
    Program.Run run = Program.of("S01 NOP", "EXIT").warps(4).cold().inGpcOf(smsOfTheGpc).run();
    return run.first(3) - run.first(0);
  }

  @Test
  void aloneTheFourSubCoresOfAnSmStartWithinEightCycles() throws IOException {
    assertThat(spread(1)).isBetween(6L, 9L);
  }

  @Test
  void inAGpcOfTwoTheyStartWithinTwiceThat() throws IOException {
    assertThat(spread(2)).isBetween(13L, 20L);
  }

  @Test
  void inAGpcOfSixteenTheyStartWithin107To139Cycles() throws IOException {
    assertThat(spread(16)).isBetween(105L, 139L);
  }

  @Test
  void aLaterSmOfTheGpcHasItsTurnLater() {
    assertThat(new GroupPlace(5, 5, 16, 0).turn(1, 2)).isEqualTo(42);
    assertThat(new GroupPlace(0, 0, 16, 0).turn(0, 2)).isZero();
  }

  @Test
  void ranksFollowTheOrderOfTheGpc() {
    List<List<Integer>> groups = List.of(List.of(4, 3), List.of(0, 1, 2));
    List<Double> hops = List.of(0.0, 1.0, 2.0, 3.0, 4.0);
    Topology topology = new Topology(groups, List.of(0, 1), hops, List.of(), false);
    assertThat(GroupPlace.of(2, topology)).isEqualTo(new GroupPlace(2, 2, 3, 2));
    assertThat(GroupPlace.of(3, topology)).isEqualTo(new GroupPlace(3, 1, 2, 3));
  }
}
