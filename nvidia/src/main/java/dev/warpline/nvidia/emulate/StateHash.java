package dev.warpline.nvidia.emulate;

/** A hash of the state of blocks: any change of it, however regular, gives another one. */
final class StateHash {
  private long hash;
  private long count;

  void add(long value) {
    count++;
    long mixed = (hash ^ value) * 0x9E3779B97F4A7C15L;
    hash = mixed ^ mixed >>> 32;
  }

  void add(int[] values, int count) {
    for (int i = 0; i < count; i++) {
      add(values[i]);
    }
  }

  void add(byte[] content) {
    int words = content.length & -4;
    for (int at = 0; at < words; at += 4) {
      add(Bytes.word(content, at));
    }
    for (int at = words; at < content.length; at++) {
      add(content[at]);
    }
  }

  long value() {
    return hash;
  }

  /** How many values went into it. */
  long count() {
    return count;
  }
}
