package dev.warpline.memory.flow;

import java.util.Arrays;

/** What an SM is told, one for each request, stores included. */
public final class Replies {
  private static final int LEVEL = 32;

  private int count;

  /** Two words for each: when, and the tag with who answered above it. */
  private long[] words;

  Replies(int room) {
    words = new long[2 * room];
  }

  void add(long time, int tag, int level) {
    int at = 2 * count++;
    if (at == words.length) {
      words = Arrays.copyOf(words, 2 * at);
    }
    words[at] = time;
    words[at + 1] = (long) level << LEVEL | tag & 0xffffffffL;
  }

  void moveTo(Replies other) {
    if (other.count == 0) {
      long[] empty = other.words;
      other.words = words;
      words = empty;
      other.count = count;
    } else {
      for (int i = 0; i < count; i++) {
        other.add(time(i), (int) words[2 * i + 1], level(i));
      }
    }
    count = 0;
  }

  public int count() {
    return count;
  }

  /** When it reaches the SM (for a store: when its place in the queue is free again). */
  public long time(int i) {
    return words[2 * i];
  }

  /** Who asked. */
  public int client(int i) {
    return Requests.client((int) words[2 * i + 1]);
  }

  /** The client's number of the request. */
  public int number(int i) {
    return Requests.number((int) words[2 * i + 1]);
  }

  /** Who answered. */
  public int level(int i) {
    return (int) (words[2 * i + 1] >>> LEVEL);
  }

  /** Forgets them, once they were read. */
  public void clear() {
    count = 0;
  }
}
