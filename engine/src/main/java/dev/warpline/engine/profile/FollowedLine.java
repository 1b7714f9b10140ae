package dev.warpline.engine.profile;

import java.util.List;

/**
 * What happened to one 128-byte line of memory: every access to it in a window of cycles, in the
 * order of time.
 *
 * @param line its address
 * @param accesses those written down, by the time they came to L1, then by SM
 * @param leftOut how many more there were
 */
public record FollowedLine(long line, List<Access> accesses, int leftOut) {
  /** Accesses kept of a kernel; more would not be read. */
  public static final int MOST = 1000;

  /**
   * One access, or an eviction.
   *
   * @param sm SM that asked, -1 if none did
   * @param warp its warp, -1 if a copy engine asked or nobody did
   * @param row instruction, -1 if it is not known
   * @param what in a word: load, store, atomic, reduction, copy, eviction
   * @param sectors sectors of the line, bit by bit
   * @param l1 what L1 did, in words
   * @param issued cycle of issue, or the first that is known of
   * @param done when it was over: the data in registers, the store visible
   * @param steps where it was meanwhile, in the order of time; neither overlap nor go beyond
   */
  public record Access(
      int sm,
      int warp,
      int row,
      String what,
      int sectors,
      String l1,
      long issued,
      long done,
      List<Step> steps) {}

  /** Somewhere from a cycle to another, both counted from the launch. */
  public record Step(String where, long from, long until) {}
}
