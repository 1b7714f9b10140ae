package dev.warpline.nvidia.hopper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarpgroupProductsTest {
  private static final WarpgroupProducts.Spec HOPPER =
      new WarpgroupProducts.Spec(0.5, 13, 16, 0.25, 46, 56);
  private final WarpgroupProducts products = new WarpgroupProducts(HOPPER, 64);

  private long all(int warpgroup, long cycle, int n, boolean sharedA, boolean commits) {
    long end = -1;
    for (int w = 0; w < 4; w++) {
      end = products.issue(4 * warpgroup + w, cycle, new MatrixShape(64, n, 16), sharedA, commits);
    }
    return end;
  }

  @Test
  void theShapeIsReadFromTheMnemonic() {
    assertThat(MatrixShape.of("HGMMA.64x128x16.F32.BF16")).isEqualTo(new MatrixShape(64, 128, 16));
    assertThat(MatrixShape.of("IGMMA.64x8x32.S8")).isEqualTo(new MatrixShape(64, 8, 32));
    assertThat(MatrixShape.of("HGMMA")).isNull();
  }

  @Test
  void aProductTakesHalfACyclePerColumnButNotLessThanItsFloor() {
    assertThat(products.occupancy(new MatrixShape(64, 256, 16), true)).isEqualTo(128);
    assertThat(products.occupancy(new MatrixShape(64, 64, 16), true)).isEqualTo(32);
    assertThat(products.occupancy(new MatrixShape(64, 8, 16), true)).isEqualTo(18);
    assertThat(products.occupancy(new MatrixShape(64, 8, 16), false)).isEqualTo(13);
  }

  @Test
  void aProductStartsWhenTheFourthWarpIssuedIt() {
    MatrixShape shape = new MatrixShape(64, 128, 16);
    assertThat(products.issue(0, 10, shape, true, true)).isEqualTo(-1);
    assertThat(products.issue(1, 12, shape, true, true)).isEqualTo(-1);
    assertThat(products.issue(2, 14, shape, true, true)).isEqualTo(-1);
    assertThat(products.inStep(0)).isFalse();
    assertThat(products.issue(3, 100, shape, true, true)).isEqualTo(100 + 64 + 56);
    assertThat(products.inStep(0)).isTrue();
  }

  @Test
  void aWarpMayRunAheadOfItsSiblings() {
    MatrixShape shape = new MatrixShape(64, 64, 16);
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
