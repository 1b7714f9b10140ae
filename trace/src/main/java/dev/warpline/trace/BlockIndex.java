package dev.warpline.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where the blocks of a file begin: byte offset and number of lines before, by block id. */
final class BlockIndex {
  private long[] entries = new long[96];
  private int size;
  private long[] ids;
  private int[] order;

  void add(long id, long offset, long line) {
    if (size * 3 == entries.length) {
      entries = Arrays.copyOf(entries, entries.length * 2);
    }
    entries[size * 3] = id;
    entries[size * 3 + 1] = offset;
    entries[size * 3 + 2] = line;
    size++;
  }

  /**
   * Call after the last {@link #add}. Of two blocks with one id, the first in the file counts; the
   * entries of the others are returned.
   */
  List<Integer> sort() {
    List<Integer> repeated = new ArrayList<>();
    boolean ascending = true;
    ids = new long[size];
    order = new int[size];
    for (int i = 0; i < size; i++) {
      ids[i] = entries[i * 3];
      order[i] = i;
      ascending &= i == 0 || ids[i] > ids[i - 1];
    }
    if (!ascending) {
      Integer[] boxed = new Integer[size];
      Arrays.setAll(boxed, i -> i);
      Arrays.sort(boxed, (a, b) -> Long.compare(entries[a * 3], entries[b * 3]));
      int kept = 0;
      for (int i = 0; i < size; i++) {
        long id = entries[boxed[i] * 3];
        if (kept == 0 || ids[kept - 1] != id) {
          ids[kept] = id;
          order[kept++] = boxed[i];
        } else {
          repeated.add(boxed[i]);
        }
      }
      ids = Arrays.copyOf(ids, kept);
    }
    return repeated;
  }

  /** How many different blocks there are. Call after {@link #sort}. */
  long blocks() {
    return ids.length;
  }

  /** The least block id that is not there. Call after {@link #sort}. */
  long firstMissing() {
    int i = 0;
    while (i < ids.length && ids[i] == i) {
      i++;
    }
    return i;
  }

  /** The entry of a block, negative if there is none. */
  int find(long id) {
    int at = Arrays.binarySearch(ids, id);
    return at < 0 ? -1 : order[at];
  }

  long id(int entry) {
    return entries[entry * 3];
  }

  long offset(int entry) {
    return entries[entry * 3 + 1];
  }

  long line(int entry) {
    return entries[entry * 3 + 2];
  }
}
