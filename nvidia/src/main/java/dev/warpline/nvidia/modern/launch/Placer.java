package dev.warpline.nvidia.modern.launch;

/** Decides where and when the blocks of a kernel start; asked between windows. */
public abstract class Placer {
  /** The placement that {@link #next} found. */
  public int sm;

  public int place;
  public long block;
  public long time;

  /** The block's rank in its cluster, and where all blocks of it are; null without clusters. */
  public int rank;

  public int[] clusterSms;
  public int[] clusterPlaces;

  /** Finds the next block's placement if it arrives before a cycle. */
  public abstract boolean next(long until);

  /** Earliest cycle at which a block could be placed, far away if none is left. */
  public abstract long nextTime();

  /** A place comes free. */
  public abstract void release(int sm, int place, long when);
}
