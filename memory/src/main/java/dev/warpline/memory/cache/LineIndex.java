package dev.warpline.memory.cache;

import java.util.Arrays;

/** Where a line is, by open addressing; grows with the lines. */
final class LineIndex {
  private long[] keys;
  private int[] places;
  private int mask;
  private int used;

  /**
   * @param most lines at a time, as far as is known
   */
  LineIndex(int most) {
    int slots = Integer.highestOneBit(Math.max(2, most)) * 4;
    keys = new long[slots];
    places = new int[slots];
    mask = slots - 1;
    clear();
  }

  void clear() {
    Arrays.fill(places, TagArray.NONE);
    used = 0;
  }

  int find(long line) {
    int slot = home(line);
    while (places[slot] != TagArray.NONE && keys[slot] != line) {
      slot = slot + 1 & mask;
    }
    return places[slot];
  }

  /** Adds a line that is not there. */
  void add(long line, int place) {
    if (2 * ++used > places.length) {
      grow();
    }
    put(line, place);
  }

  private void put(long line, int place) {
    int slot = home(line);
    while (places[slot] != TagArray.NONE) {
      slot = slot + 1 & mask;
    }
    keys[slot] = line;
    places[slot] = place;
  }

  /** Removes a line that is there and moves up those behind it that stood aside for it. */
  void remove(long line, int place) {
    int hole = home(line);
    while (keys[hole] != line || places[hole] != place) {
      hole = hole + 1 & mask;
    }
    for (int at = hole + 1 & mask; places[at] != TagArray.NONE; at = at + 1 & mask) {
      int distance = at - home(keys[at]) & mask;
      if (distance >= (at - hole & mask)) {
        keys[hole] = keys[at];
        places[hole] = places[at];
        hole = at;
      }
    }
    places[hole] = TagArray.NONE;
    used--;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldPlaces = places;
    keys = new long[2 * oldKeys.length];
    places = new int[keys.length];
    Arrays.fill(places, TagArray.NONE);
    mask = keys.length - 1;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldPlaces[i] != TagArray.NONE) {
        put(oldKeys[i], oldPlaces[i]);
      }
    }
  }

  private int home(long line) {
    return (int) (line * 0x9E3779B97F4A7C15L >>> 40) & mask;
  }
}
