package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** First instructions of the warps of an SM, as {@code startup.cu} found them on an H200. */
class GroupPlaceTest {
  private static final double TURN = 2.2;

  private static long spread(int smsOfTheGpc) {
    GroupPlace place = new GroupPlace(0, 0, smsOfTheGpc);
    return place.turn(3, TURN) - place.turn(0, TURN);
  }

  @Test
  void aloneTheFourSubCoresOfAnSmStartWithinEightCycles() {
    assertThat(spread(1)).isBetween(6L, 8L);
  }

  @Test
  void inAGpcOfSixteenTheyStartWithin107To139Cycles() {
    assertThat(spread(16)).isBetween(100L, 139L);
  }

  @Test
  void ranksFollowTheOrderOfTheGpc() {
    List<List<Integer>> groups = List.of(List.of(4, 5), List.of(0, 1, 2));
    assertThat(GroupPlace.of(2, groups)).isEqualTo(new GroupPlace(2, 2, 3));
    assertThat(GroupPlace.of(9, groups)).isEqualTo(new GroupPlace(9, 0, 1));
  }
}
