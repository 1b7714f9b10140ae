package dev.warpline.policy.warp;

import dev.warpline.policy.Named;

/** Warps of a block advance together, blocks one after the other, as on the H200. */
@Named(
    value = "oldest-block",
    about =
        "the warp that issued last, then of the oldest block the one whose last turn is longest ago")
public final class OldestBlock extends ByTurn {
  private final int[] blockOf = new int[Long.SIZE];
  private int block;

  @Override
  public void blockArrived() {
    block++;
  }

  @Override
  public void arrived(int warp) {
    super.arrived(warp);
    blockOf[warp] = block;
  }

  @Override
  int behind(int warp) {
    int other = after(warp);
    while (other != ENDS && blockOf[other] == blockOf[warp]) {
      other = after(other);
    }
    return other;
  }
}
