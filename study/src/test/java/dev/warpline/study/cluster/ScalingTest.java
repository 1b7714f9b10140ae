package dev.warpline.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.study.sweep.Costs;
import dev.warpline.study.sweep.On;
import org.junit.jupiter.api.Test;

class ScalingTest {
  /** 1,000 points on 2 slots: 1 ms each in the one process, 9 ms on a slot, 2 s to start. */
  private static final Costs COSTS =
      new Costs(1000, 2, 0.2, 0.4, new On.Carried(0.3, 0.1, 0.5), 2, 7, 1);

  @Test
  void costsAreThoseOfAPoint() {
    assertThat(COSTS.serialSeconds()).isCloseTo(0.001, within(1e-12));
    assertThat(COSTS.slotSeconds()).isCloseTo(0.009, within(1e-12));
  }

  @Test
  void slotsAreBusyUntilTheOneProcessCannotKeepUp() {
    Scaling scaling = new Scaling(COSTS, false);
    // 100 points per slot of 10.009 s; 2 s to start, 0.5 s for files, 10 s for the last point.
    assertThat(scaling.seconds(1, 10)).isCloseTo(1013.4, within(1e-9));
    // 3,200,000 points of 1 ms in one process, and files go from node to node.
    assertThat(scaling.seconds(1000, 10)).isCloseTo(3200 + 2 + 0.5 * 10.965784 + 10, within(1e-5));
    assertThat(scaling.efficiency(1000, 10)).isLessThan(0.32);
    assertThat(scaling.efficiency(1000, 100)).isGreaterThan(0.98);
  }

  @Test
  void oneSharedFolderServesOneNodeAfterTheOther() {
    double apart = new Scaling(COSTS, false).seconds(100, 100);
    assertThat(new Scaling(COSTS, true).seconds(100, 100) - apart)
        .isCloseTo(0.5 * (100 - 1 - Math.log(100) / Math.log(2)), within(1e-9));
  }

  @Test
  void theTableHasALinePerNumberOfNodes() {
    assertThat(new Scaling(COSTS, false).lines())
        .anyMatch(line -> line.matches(" 1000   3,200,000( +[\\d,]+ s +\\d+%){3}"))
        .anyMatch(line -> line.matches("  together, processor time of one process +1\\.000 ms"));
  }
}
