package dev.warpline.memory.flow;

import java.util.Arrays;

/** What an SM is told, in columns: one for each request, stores included. */
public final class Replies {
  private int count;
  private long[] time;
  private int[] tag;
  private byte[] level;

  Replies(int room) {
    time = new long[room];
    tag = new int[room];
    level = new byte[room];
  }

  void add(long time, int tag, int level) {
    if (count == this.time.length) {
      int n = 2 * count;
      this.time = Arrays.copyOf(this.time, n);
      this.tag = Arrays.copyOf(this.tag, n);
      this.level = Arrays.copyOf(this.level, n);
    }
    this.time[count] = time;
    this.tag[count] = tag;
    this.level[count++] = (byte) level;
  }

  void moveTo(Replies other) {
    for (int i = 0; i < count; i++) {
      other.add(time[i], tag[i], level[i]);
    }
    count = 0;
  }

  public int count() {
    return count;
  }

  /** When it reaches the SM (for a store: when its place in the queue is free again). */
  public long time(int i) {
    return time[i];
  }

  /** Who asked. */
  public int client(int i) {
    return Requests.client(tag[i]);
  }

  /** The client's number of the request. */
  public int number(int i) {
    return Requests.number(tag[i]);
  }

  /** Who answered. */
  public int level(int i) {
    return level[i];
  }

  /** Forgets them, once they were read. */
  public void clear() {
    count = 0;
  }
}
