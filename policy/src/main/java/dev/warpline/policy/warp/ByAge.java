package dev.warpline.policy.warp;

import dev.warpline.policy.WarpScheduler;
import java.util.Arrays;

/** Keeps its warps in the order they came. */
abstract class ByAge implements WarpScheduler {
  /** Oldest first. */
  int[] warps = new int[Long.SIZE];

  int count;

  @Override
  public void arrived(int warp) {
    if (count == warps.length) {
      warps = Arrays.copyOf(warps, 2 * count);
    }
    warps[count++] = warp;
  }

  @Override
  public void left(int warp) {
    int at = indexOf(warp);
    System.arraycopy(warps, at + 1, warps, at, count - at - 1);
    count--;
  }

  final int indexOf(int warp) {
    int at = 0;
    while (warps[at] != warp) {
      at++;
    }
    return at;
  }

  final int oldest(long eligible, int among) {
    for (int i = 0; i < count && i < among; i++) {
      if ((eligible >>> warps[i] & 1) != 0) {
        return warps[i];
      }
    }
    return NONE;
  }
}
