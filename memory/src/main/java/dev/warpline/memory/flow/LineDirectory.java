package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * Where the lines of L2 are: one look finds a line in both partitions. A table by open addressing
 * that grows with the lines; neighbouring lines have neighbouring slots. A line that leaves stays
 * in the table: its place holds another one then.
 */
final class LineDirectory {
  static final int NONE = -1;

  // A slot is a line, plus one so that it is not 0, and its places: that of the first partition in
  // the low half, that of the second in the high half, each plus one.
  private static final int PLACES = 1;
  private static final int WIDTH = 2;

  private static final int LINE_BITS = 7;

  /** Lines that stand side by side, as a shift. */
  private static final int BLOCK_BITS = 2;

  private static final int FIRST = 1024;
  private static final int GROWTH = 4;

  private long[] table = new long[FIRST * WIDTH];

  /** Slots that have a line, though it may have left both partitions. */
  private int used;

  private final L2Partition[] partitions;

  /**
   * Slots for twice the lines that the partitions hold: what is here never fills three quarters.
   */
  private final long enough;

  /**
   * @param partitions of L2
   * @param lines that they hold together
   */
  LineDirectory(L2Partition[] partitions, long lines) {
    this.partitions = partitions;
    enough = 2 * lines;
  }

  void clear() {
    if (used != 0) {
      Arrays.fill(table, 0);
      used = 0;
    }
  }

  /** Reads what {@link #find} will read first, so that it is at hand then. */
  long glance(long line) {
    return table[home(line)];
  }

  /** Slot of a line, until the next {@link #put}; {@link #NONE} if no partition has had it. */
  int find(long line) {
    int at = home(line);
    while (table[at] != line + 1) {
      if (table[at] == 0) {
        return NONE;
      }
      at = at + WIDTH & table.length - 1;
    }
    return at;
  }

  /** The same; likely it is in the slot where it was before. */
  int find(long line, int likely) {
    return likely != NONE && likely < table.length && table[likely] == line + 1
        ? likely
        : find(line);
  }

  /** Reads the state of the line in a slot in all partitions, so that it is at hand. */
  long glance(int slot) {
    long seen = 0;
    for (int i = 0; i < partitions.length && slot != NONE; i++) {
      int place = known(slot, i);
      seen ^= place == NONE ? 0 : partitions[i].glance(place);
    }
    return seen;
  }

  /** Place in a partition of the line in a slot; {@link #NONE} if it is not there. */
  int place(int slot, int partition) {
    if (slot == NONE) {
      return NONE;
    }
    int place = known(slot, partition);
    return place != NONE && partitions[partition].line(place) == table[slot] - 1 ? place : NONE;
  }

  /** The place that the line in a slot got last in a partition. */
  private int known(int slot, int partition) {
    return (int) (table[slot + PLACES] >>> partition * Integer.SIZE) - 1;
  }

  /** A line with a slot or {@link #NONE} has got a place in a partition; returns its slot. */
  int put(int slot, long line, int partition, int place) {
    int at = slot;
    if (at == NONE) {
      if (2 * WIDTH * used >= table.length) {
        makeRoom();
      }
      at = add(line);
    }
    int shift = partition * Integer.SIZE;
    table[at + PLACES] = table[at + PLACES] & ~(0xffffffffL << shift) | place + 1L << shift;
    return at;
  }

  private int add(long line) {
    int at = home(line);
    while (table[at] != 0) {
      at = at + WIDTH & table.length - 1;
    }
    table[at] = line + 1;
    used++;
    return at;
  }

  /** Makes the table longer; once it has room for all lines of L2, forgets those that left. */
  private void makeRoom() {
    long[] old = table;
    boolean longer = old.length < enough * WIDTH;
    if (!longer && 4L * WIDTH * used < 3L * old.length) {
      return;
    }
    for (int at = 0; at < old.length && !longer; at += WIDTH) {
      if (old[at] != 0 && !isHeld(at)) {
        old[at] = 0;
      }
    }
    table = new long[longer ? GROWTH * old.length : old.length];
    used = 0;
    for (int at = 0; at < old.length; at += WIDTH) {
      if (old[at] != 0) {
        table[add(old[at] - 1) + PLACES] = old[at + PLACES];
      }
    }
  }

  /** Whether a slot's line is held by a partition. */
  private boolean isHeld(int slot) {
    boolean held = false;
    for (int i = 0; i < partitions.length; i++) {
      held |= place(slot, i) != NONE;
    }
    return held;
  }

  private int home(long line) {
    int block = (int) ((line >>> LINE_BITS + BLOCK_BITS) * 0x9e3779b97f4a7c15L >>> 40);
    int slot = block << BLOCK_BITS | (int) (line >>> LINE_BITS) & (1 << BLOCK_BITS) - 1;
    return slot * WIDTH & table.length - 1;
  }
}
