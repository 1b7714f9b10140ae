package dev.warpline.trace;

import java.util.Arrays;

/**
 * Rows and masks of blocks whose warps take the same paths, and which of their instructions have
 * payloads: one copy for all of them, which hundreds of resident blocks share. It is made when the
 * same paths come a second time.
 */
final class BlockPaths {
  private static final int PLACES = 16;

  private static final class Common {
    PathTable.Path[] paths;
    int[] rows;
    int[] masks;
    int[] slots;
    int payloads;
  }

  private final Common[] common = new Common[PLACES];

  /**
   * Lends a block what others execute, if there are such.
   *
   * @param taken by warp, null where it has no instructions
   * @param instructions of all of them
   */
  void lend(PathTable.Path[] taken, int instructions, BlockTrace into) {
    int hash = 1;
    for (PathTable.Path path : taken) {
      hash = 31 * hash + (path == null ? 0 : path.rows.length + (int) path.lanes);
    }
    int place = (hash ^ hash >>> 16) & PLACES - 1;
    Common its = common[place];
    if (its == null || !same(its.paths, taken)) {
      its = new Common();
      its.paths = taken.clone();
      common[place] = its;
      return;
    }
    // Of another chunk, mostly, in which the same paths are objects of their own.
    System.arraycopy(taken, 0, its.paths, 0, taken.length);
    if (its.rows == null) {
      its.rows = new int[instructions];
      its.masks = new int[instructions];
      its.slots = new int[instructions];
      Arrays.fill(its.slots, BlockTrace.NO_PAYLOAD);
      int at = 0;
      for (PathTable.Path path : taken) {
        if (path != null) {
          System.arraycopy(path.rows, 0, its.rows, at, path.rows.length);
          System.arraycopy(path.masks, 0, its.masks, at, path.rows.length);
          for (int i : path.withAccesses) {
            its.slots[at + i] = its.payloads++;
          }
          at += path.rows.length;
        }
      }
    }
    into.borrow(its.rows, its.masks, its.slots, its.payloads);
  }

  private static boolean same(PathTable.Path[] a, PathTable.Path[] b) {
    for (int i = 0; i < a.length; i++) {
      if (a[i] != b[i] && (a[i] == null || b[i] == null || !a[i].equalTo(b[i]))) {
        return false;
      }
    }
    return true;
  }
}
