package dev.warpline.memory.detailed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockDomainsTest {
  private final ClockDomains clocks = new ClockDomains(1_132_000, 1_132_000, 566_000, 3_500_500);

  @Test
  void equalClocksHaveOneEdgePerCycle() {
    assertThat(clocks.icntEdges(1000) - clocks.icntEdges(999)).isEqualTo(1);
  }

  @Test
  void edgesNeverDriftFromTheExactRatio() {
    long cycles = 1_132_000L * 1000;
    assertThat(clocks.dramEdges(cycles)).isEqualTo(3_500_500L * 1000);
    assertThat(clocks.l2Edges(cycles)).isEqualTo(566_000L * 1000);
  }

  @Test
  void aFasterClockHasThreeOrFourEdgesInEachCycle() {
    for (long c = 0; c < 10_000; c++) {
      assertThat(clocks.dramEdges(c + 1) - clocks.dramEdges(c)).isBetween(3L, 4L);
    }
  }

  @Test
  void edgeZeroFallsIntoCycleZero() {
    assertThat(clocks.dramEdges(0)).isZero();
    assertThat(clocks.l2Edges(1)).isEqualTo(1);
    assertThat(clocks.l2Edges(2)).isEqualTo(1);
  }
}
