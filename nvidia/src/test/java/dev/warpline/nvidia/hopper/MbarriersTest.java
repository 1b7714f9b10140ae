package dev.warpline.nvidia.hopper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MbarriersTest {
  private final Mbarriers barriers = new Mbarriers();

  @Test
  void theInitialValueHoldsTheArrivalsAsAComplement() {
    assertThat(Mbarriers.expectedArrivals(0x1ffffe)).isEqualTo(1);
    assertThat(Mbarriers.expectedArrivals(0x1ffffa)).isEqualTo(3);
    assertThat(Mbarriers.expectedArrivals(0x1fff00)).isEqualTo(128);
  }

  @Test
  void aPhaseEndsWithItsLastArrivalAndFreesItsWaiters() {
    barriers.init(0x400, 2, 0);
    barriers.await(0x400, 3);
    assertThat(barriers.arrive(0x400, 1, 0)).isZero();
    assertThat(barriers.passed(0x400, 0)).isFalse();
    assertThat(barriers.arrive(0x400, 1, 0)).isEqualTo(1L << 3);
    assertThat(barriers.passed(0x400, 0)).isTrue();
    assertThat(barriers.passed(0x400, 1)).isFalse();
  }

  @Test
  void announcedBytesHoldThePhaseUntilTheyCame() {
    barriers.init(0x400, 1, 0);
    barriers.await(0x400, 0);
    assertThat(barriers.arrive(0x400, 1, 4096)).isZero();
    assertThat(barriers.bring(0x400, 4000)).isZero();
    assertThat(barriers.bring(0x400, 96)).isEqualTo(1);
  }

  @Test
  void bytesMayComeBeforeTheyAreAnnounced() {
    barriers.init(0x400, 1, 0);
    assertThat(barriers.bring(0x400, 128)).isZero();
    assertThat(barriers.passed(0x400, 0)).isFalse();
    barriers.arrive(0x400, 1, 128);
    assertThat(barriers.passed(0x400, 0)).isTrue();
  }

  @Test
  void phasesAlternateAndExpectTheSameArrivalsAgain() {
    barriers.init(0x408, 1, 0);
    for (int phase = 0; phase < 5; phase++) {
      assertThat(barriers.passed(0x408, phase & 1)).isFalse();
      barriers.expect(0x408, 64);
      barriers.arrive(0x408, 1, 0);
      assertThat(barriers.passed(0x408, phase & 1)).isFalse();
      barriers.bring(0x408, 64);
      assertThat(barriers.passed(0x408, phase & 1)).isTrue();
    }
  }

  @Test
  void aBarrierMayStartInItsSecondPhase() {
    barriers.init(0x400, 1, 1);
    assertThat(barriers.passed(0x400, 0)).isTrue();
    assertThat(barriers.passed(0x400, 1)).isFalse();
    barriers.arrive(0x400, 1, 0);
    assertThat(barriers.passed(0x400, 1)).isTrue();
  }

  @Test
  void manyBarriersKeepApart() {
    for (int i = 0; i < 40; i++) {
      barriers.init(0x1000 + 8 * i, 1 + i, 0);
    }
    barriers.arrive(0x1000, 1, 0);
    assertThat(barriers.passed(0x1000, 0)).isTrue();
    assertThat(barriers.passed(0x1008, 0)).isFalse();
    assertThat(barriers.describe(0x1008))
        .isEqualTo("mbarrier 0x1008, phase 0: 2 of 2 arrivals missing, 0 bytes outstanding");
  }

  @Test
  void aBarrierThatNobodyInitialisedIsAnError() {
    assertThatThrownBy(() -> barriers.arrive(0x440, 1, 0))
        .isInstanceOf(UninitialisedBarrierException.class)
        .hasMessage(
            "mbarrier at shared address 0x440 is used but was never initialised"
                + " (expected SYNCS.EXCH.64 on it before)");
    assertThat(barriers.describe(0x440)).isEqualTo("mbarrier 0x440, never initialised");
  }
}
