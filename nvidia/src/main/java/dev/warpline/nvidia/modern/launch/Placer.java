package dev.warpline.nvidia.modern.launch;

import java.util.BitSet;

/** Decides where and when the blocks of a kernel start; asked between windows. */
public abstract class Placer {
  /** The placement that {@link #next} found. */
  public int sm;

  public int place;
  public long block;
  public long time;

  /** Whether it finds its SM empty, whose array is divided anew: only where kernels share SMs. */
  public boolean divides;

  /** The block's rank in its cluster, and where all blocks of it are; null without clusters. */
  public int rank;

  public int[] clusterSms;
  public int[] clusterPlaces;

  /** When its first block can come to an SM. */
  public final long from;

  /** The room that it shares with other kernels; null as long as it is alone. */
  private SmRooms rooms;

  private SmRooms.Need need;
  private BitSet allowed;
  private long floor;

  /** By SM: when another block has room beside those of other kernels, and as of when that is. */
  private long[] fits;

  private int[] seen;

  Placer(long from) {
    this.from = from;
  }

  /** Finds the next block's placement if it arrives before a cycle. */
  public abstract boolean next(long until);

  /** Earliest cycle at which a block could be placed, far away if none is left. */
  public abstract long nextTime();

  /** A place comes free: its own number of it. */
  public abstract void release(int sm, int place, long when);

  /** Whether blocks are left to be placed. */
  public abstract boolean hasBlocks();

  /** When a place, by its own number, is free; far away while a block is there. */
  abstract long freeAt(int sm, int place);

  /**
   * Shares the SMs with other kernels from now on.
   *
   * @param sms those that it may use; empty for all
   */
  public void share(SmRooms with, SmRooms.Need its, BitSet sms) {
    rooms = with;
    need = its;
    allowed = sms.isEmpty() ? null : sms;
    fits = new long[with.sms()];
    seen = new int[with.sms()];
    with.adopt(its, this);
  }

  /** No block arrives before a cycle: what was before is past. */
  public void notBefore(long cycle) {
    floor = cycle;
  }

  final boolean isShared() {
    return rooms != null;
  }

  final long floor() {
    return floor;
  }

  /** Since when there is room on an SM beside the blocks of others. */
  final long fitsAt(int itsSm) {
    if (rooms == null) {
      return 0;
    }
    if (seen[itsSm] != rooms.version(itsSm)) {
      seen[itsSm] = rooms.version(itsSm);
      fits[itsSm] = fitsAt(itsSm, 1);
    }
    return fits[itsSm];
  }

  /** The same for so many blocks. */
  final long fitsAt(int itsSm, int blocks) {
    if (rooms == null) {
      return 0;
    }
    return allowed == null || allowed.get(itsSm)
        ? rooms.fitsAt(itsSm, need, blocks)
        : SmRooms.NEVER;
  }

  /** Blocks on an SM, those of others too, if {@code own} are its own. */
  final int blocks(int itsSm, int own) {
    return rooms == null ? own : rooms.blocks(itsSm);
  }

  /** The SM's number of a place that it takes, by its own number. */
  final int take(int itsSm, int itsPlace, long when) {
    if (rooms == null) {
      return itsPlace;
    }
    int taken = rooms.take(itsSm, need, itsPlace, when);
    divides = rooms.divided();
    return taken;
  }
}
