package dev.warpline.trace;

import java.util.Arrays;

/** Numbers sequences of words from 0, equal ones alike. */
final class WordTable {
  private long[] words = new long[1024];
  private int[] start = new int[65];
  private int[] hashes = new int[64];
  private int size;
  private int[] slots = new int[256];

  int size() {
    return size;
  }

  void clear() {
    size = 0;
    Arrays.fill(slots, 0);
  }

  /** The number of a sequence; {@link #size} before the call if it is new. */
  int find(long[] sequence, int length) {
    int hash = hash(sequence, length);
    int slot = hash & slots.length - 1;
    while (slots[slot] != 0) {
      int id = slots[slot] - 1;
      if (hashes[id] == hash
          && Arrays.equals(words, start[id], start[id + 1], sequence, 0, length)) {
        return id;
      }
      slot = slot + 1 & slots.length - 1;
    }
    slots[slot] = size + 1;
    return append(sequence, length, hash);
  }

  private int append(long[] sequence, int length, int hash) {
    if (size + 1 == start.length) {
      start = Arrays.copyOf(start, size * 2 + 1);
      hashes = Arrays.copyOf(hashes, size * 2);
    }
    int from = start[size];
    if (words.length - from < length) {
      words = Arrays.copyOf(words, Math.max(words.length * 2, from + length));
    }
    System.arraycopy(sequence, 0, words, from, length);
    hashes[size] = hash;
    start[++size] = from + length;
    if (size * 2 > slots.length) {
      slots = new int[slots.length * 4];
      for (int id = 0; id < size; id++) {
        int slot = hashes[id] & slots.length - 1;
        while (slots[slot] != 0) {
          slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = id + 1;
      }
    }
    return size - 1;
  }

  private static int hash(long[] sequence, int length) {
    long hash = length;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ sequence[i]) * 0x9e3779b97f4a7c15L;
      hash ^= hash >>> 29;
    }
    return (int) (hash ^ hash >>> 32);
  }
}
