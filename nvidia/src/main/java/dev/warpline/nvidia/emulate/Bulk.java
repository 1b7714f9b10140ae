package dev.warpline.nvidia.emulate;

/** What bulk and tensor copies have in common. */
final class Bulk {
  private Bulk() {}

  /**
   * Tells mbarriers that bytes have come.
   *
   * @param mbarrier shared address, with the rank of its block
   * @param targets blocks of the cluster in the upper half, 0 for the one that the address names
   */
  static void complete(Warp warp, int mbarrier, int targets, long bytes) {
    BlockCluster cluster = warp.block.cluster();
    if (targets == 0) {
      Mbarrier.change(cluster.owner(warp.block, mbarrier), mbarrier, 0, 0, -bytes);
      return;
    }
    for (int rest = targets >>> 16; rest != 0; rest &= rest - 1) {
      Block block = cluster.block(Integer.numberOfTrailingZeros(rest));
      Mbarrier.change(block, mbarrier, 0, 0, -bytes);
    }
  }
}
