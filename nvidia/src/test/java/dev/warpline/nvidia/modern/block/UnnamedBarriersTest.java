package dev.warpline.nvidia.modern.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnnamedBarriersTest {
  private final UnnamedBarriers barriers = new UnnamedBarriers();

  private boolean arrive(int warp, int row, int size, boolean waits) {
    return barriers.arrive(warp, row, size, waits, 0);
  }

  @Test
  void aProducerMeetsTheConsumersThatArrivedFirst() {
    assertThat(arrive(1, 10, 3, false)).isFalse();
    assertThat(arrive(2, 10, 3, false)).isFalse();
    // The consumers go on to another barrier and wait there for the producer's answer.
    assertThat(arrive(1, 11, 3, true)).isFalse();
    assertThat(arrive(2, 11, 3, true)).isFalse();
    assertThat(arrive(0, 20, 3, true)).isTrue();
    assertThat(barriers.freed).isEqualTo(0b001);
    assertThat(arrive(0, 21, 3, false)).isTrue();
    assertThat(barriers.freed).isEqualTo(0b110);
  }

  @Test
  void warpsAtTheSameInstructionMeetEachOther() {
    arrive(0, 10, 2, false);
    assertThat(arrive(0, 11, 2, true)).isFalse();
    assertThat(arrive(1, 11, 2, true)).isTrue();
    assertThat(barriers.freed).isEqualTo(0b11);
    assertThat(arrive(1, 12, 2, true)).isTrue();
    assertThat(barriers.freed).isEqualTo(0b10);
  }

  @Test
  void barriersOfDifferentSizesKeepApart() {
    arrive(0, 10, 2, true);
    assertThat(arrive(1, 11, 3, true)).isFalse();
    assertThat(arrive(1, 10, 2, true)).isTrue();
  }
}
