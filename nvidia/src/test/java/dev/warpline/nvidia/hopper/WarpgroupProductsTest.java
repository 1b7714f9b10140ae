package dev.warpline.nvidia.hopper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.ModernCoreSpec;
import org.junit.jupiter.api.Test;

class WarpgroupProductsTest {
  private static final ModernCoreSpec.Async HOPPER =
      new ModernCoreSpec.Async(
          0.5, 13, 16, 0.25, 46, 56, 0.3, 6, 18, 36, 22, 24, 1.2, 0, 41, 32, 25, 2, 88, 191, 17,
          42);
  private final WarpgroupProducts products = new WarpgroupProducts(HOPPER, 64);

  private long all(int warpgroup, long cycle, int n, boolean sharedA, boolean commits) {
    long end = -1;
    for (int w = 0; w < 4; w++) {
      end = products.issue(4 * warpgroup + w, cycle, n, sharedA, commits);
    }
    return end;
  }

  @Test
  void aProductTakesHalfACyclePerColumnButNotLessThanItsFloor() {
    assertThat(products.occupancy(256, true)).isEqualTo(128);
    assertThat(products.occupancy(64, true)).isEqualTo(32);
    assertThat(products.occupancy(8, true)).isEqualTo(18);
    assertThat(products.occupancy(8, false)).isEqualTo(13);
  }

  @Test
  void aProductStartsWhenTheFourthWarpIssuedIt() {
    int shape = 128;
    assertThat(products.issue(0, 10, shape, true, true)).isEqualTo(-1);
    assertThat(products.issue(1, 12, shape, true, true)).isEqualTo(-1);
    assertThat(products.issue(2, 14, shape, true, true)).isEqualTo(-1);
    assertThat(products.inStep(0)).isFalse();
    assertThat(products.issue(3, 100, shape, true, true)).isEqualTo(100 + 64 + 56);
    assertThat(products.inStep(0)).isTrue();
  }

  @Test
  void aWarpMayRunAheadOfItsSiblings() {
    int shape = 64;
    products.issue(0, 10, shape, true, false);
    products.issue(0, 14, shape, true, true);
    products.issue(1, 10, shape, true, false);
    products.issue(2, 10, shape, true, false);
    assertThat(products.issue(3, 20, shape, true, false)).isEqualTo(20 + 32 + 56);
    assertThat(products.inStep(0)).isFalse();
    assertThat(products.inStep(3)).isTrue();
  }

  @Test
  void productsFollowEachOtherAtTheRateOfTheTensorCores() {
    long first = all(0, 0, 128, true, false);
    long second = all(0, 1, 128, true, true);
    assertThat(second - first).isEqualTo(64);
  }

  @Test
  void warpgroupsShareTheRate() {
    long first = all(0, 0, 64, false, true);
    long second = all(1, 0, 64, false, true);
    assertThat(second - first).isEqualTo(32);
  }

  @Test
  void aWaitForGroupsCountsWhatIsCommitted() {
    all(0, 0, 64, true, true);
    long second = all(0, 0, 64, true, true);
    assertThat(products.readyAt(0, 0)).isEqualTo(second);
    assertThat(products.readyAt(2, 1)).isEqualTo(second - 32);
    assertThat(products.readyAt(0, 2)).isZero();
  }
}
