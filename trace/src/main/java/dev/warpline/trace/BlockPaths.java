package dev.warpline.trace;

import java.util.Arrays;

/**
 * Rows and masks of blocks whose warps take the same paths: one copy for all of them, which
 * hundreds of resident blocks share. It is made when the same paths come a second time.
 */
final class BlockPaths {
  private static final int PLACES = 16;

  private static final class Common {
    PathTable.Path[] paths;
    int[] rows;
    int[] masks;
  }

  private final Common[] common = new Common[PLACES];

  /** Forgets all: paths have other numbers from now on. */
  void clear() {
    Arrays.fill(common, null);
  }

  /**
   * Lends a block the rows and masks of others, if there are such.
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
    if (its == null || !sameObjects(its.paths, taken)) {
      its = new Common();
      its.paths = taken.clone();
      common[place] = its;
      return;
    }
    if (its.rows == null) {
      its.rows = new int[instructions];
      its.masks = new int[instructions];
      int at = 0;
      for (PathTable.Path path : taken) {
        if (path != null) {
          System.arraycopy(path.rows, 0, its.rows, at, path.rows.length);
          System.arraycopy(path.masks, 0, its.masks, at, path.rows.length);
          at += path.rows.length;
        }
      }
    }
    into.borrow(its.rows, its.masks);
  }

  private static boolean sameObjects(PathTable.Path[] a, PathTable.Path[] b) {
    for (int i = 0; i < a.length; i++) {
      if (a[i] != b[i]) {
        return false;
      }
    }
    return true;
  }
}
