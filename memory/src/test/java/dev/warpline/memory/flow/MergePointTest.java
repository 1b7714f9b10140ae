package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code docs/hardware/h200/merging.cu} showed on an H200. */
class MergePointTest {
  private static final long LINE = 0x1000;
  private final MergePoint point = new MergePoint(4, 8192);

  @BeforeEach
  void aReadOfAWholeLineLeftAt100AndIsAnsweredAt160() {
    point.add(LINE, 7, 0b1111, 100, 160);
  }

  private boolean joins(int sectors, double time) {
    point.find(LINE, 7, sectors, time);
    return point.found != 0;
  }

  @Test
  void aReadJoinsUntilL2HasAnswered() {
    assertThat(joins(0b1111, 159)).isTrue();
    assertThat(point.foundAt).isEqualTo(160);
    assertThat(joins(0b1111, 160)).isFalse();
  }

  @Test
  void aReadOfOtherSectorsOfTheLineDoesNotJoin() {
    assertThat(joins(0b0011, 110)).isFalse();
    assertThat(joins(0b1111, 110)).isTrue();
  }

  @Test
  void oneRequestServesFourReads() {
    assertThat(joins(0b1111, 110)).isTrue();
    assertThat(joins(0b1111, 110)).isTrue();
    assertThat(joins(0b1111, 110)).isTrue();
    assertThat(joins(0b1111, 110)).isFalse();
  }

  @Test
  void theLastRequestForALineIsTheOneToJoin() {
    point.add(LINE, 7, 0b0011, 110, 170);
    assertThat(joins(0b1111, 120)).isFalse();
    assertThat(joins(0b0011, 120)).isTrue();
  }

  @Test
  void nothingIsLeftAfterAReset() {
    point.reset();
    assertThat(joins(0b1111, 110)).isFalse();
  }
}
