package dev.warpline.nvidia.modern;

/** Decides where and when the blocks of a kernel start; asked between windows. */
abstract class Placer {
  /** The placement that {@link #next} found. */
  int sm;

  int place;
  long block;
  long time;

  /** The block's rank in its cluster, and where all blocks of it are; null without clusters. */
  int rank;

  int[] clusterSms;
  int[] clusterPlaces;

  /** Finds the next block's placement if it arrives before a cycle. */
  abstract boolean next(long until);

  /** Earliest cycle at which a block could be placed, far away if none is left. */
  abstract long nextTime();

  /** A place comes free. */
  abstract void release(int sm, int place, long when);
}
