package dev.warpline.memory.cache;

import java.util.Arrays;

/**
 * Where a line is, by open addressing; grows with the lines. Neighbouring lines have neighbouring
 * slots, so that those of a stream are in memory side by side.
 */
final class LineIndex {
  /** A slot is a line and, behind it, its place. */
  private static final int PLACE = 1;

  private static final int WIDTH = 2;

  /** Lines that stand side by side, as a shift. */
  private static final int BLOCK_BITS = 2;

  /** Slots that an index begins with: most caches of a machine hold few lines, or none. */
  private static final int FIRST = 64;

  private long[] table;
  private int mask;
  private int used;

  LineIndex() {
    create(FIRST);
  }

  private void create(int slots) {
    table = new long[slots * WIDTH];
    mask = slots - 1;
    clear();
  }

  void clear() {
    Arrays.fill(table, TagArray.NONE);
    used = 0;
  }

  int find(long line) {
    int at = home(line);
    while (table[at + PLACE] != TagArray.NONE && table[at] != line) {
      at = after(at);
    }
    return (int) table[at + PLACE];
  }

  /** Adds a line that is not there. */
  void add(long line, int place) {
    if (2 * ++used > mask + 1) {
      grow();
    }
    put(line, place);
  }

  private void put(long line, long place) {
    int at = home(line);
    while (table[at + PLACE] != TagArray.NONE) {
      at = after(at);
    }
    table[at] = line;
    table[at + PLACE] = place;
  }

  /** Removes a line that is there and moves up those behind it that stood aside for it. */
  void remove(long line, int place) {
    int hole = home(line);
    while (table[hole] != line || table[hole + PLACE] != place) {
      hole = after(hole);
    }
    for (int at = after(hole); table[at + PLACE] != TagArray.NONE; at = after(at)) {
      if (distance(home(table[at]), at) >= distance(hole, at)) {
        table[hole] = table[at];
        table[hole + PLACE] = table[at + PLACE];
        hole = at;
      }
    }
    table[hole + PLACE] = TagArray.NONE;
    used--;
  }

  private void grow() {
    long[] old = table;
    int lines = used;
    create(old.length);
    used = lines;
    for (int at = 0; at < old.length; at += WIDTH) {
      if (old[at + PLACE] != TagArray.NONE) {
        put(old[at], old[at + PLACE]);
      }
    }
  }

  private int home(long line) {
    int block = (int) ((line >>> BLOCK_BITS) * 0x9E3779B97F4A7C15L >>> 40);
    int slot = block << BLOCK_BITS | (int) line & (1 << BLOCK_BITS) - 1;
    return (slot & mask) * WIDTH;
  }

  private int after(int at) {
    return at + WIDTH & table.length - 1;
  }

  private int distance(int from, int to) {
    return to - from & table.length - 1;
  }
}
