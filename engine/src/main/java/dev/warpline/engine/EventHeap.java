package dev.warpline.engine;

import java.util.Arrays;

/**
 * Things to happen at known times, earliest first; those of the same time in the order they were
 * entered, or by the rank their owner gave them. A payload is a number its owner understands.
 * Nothing is allocated once it has grown.
 */
public final class EventHeap {
  /** Time, rank and payload of each event stand side by side. */
  private static final int WIDTH = 3;

  private long[] items = new long[16 * WIDTH];
  private int size;
  private long entered;

  /** Time of the earliest event: asked for far more often than it changes. */
  private long nextTime = Long.MAX_VALUE;

  public void clear() {
    size = 0;
    nextTime = Long.MAX_VALUE;
    entered = 0;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Time of the earliest event, or {@code Long.MAX_VALUE}. */
  public long nextTime() {
    return nextTime;
  }

  /** Enters an event behind those of the same time. */
  public void add(long time, long payload) {
    add(time, entered++, payload);
  }

  /**
   * Enters an event among those of the same time, the least rank first. An owner gives ranks to all
   * of its events or to none.
   */
  public void add(long time, long rank, long payload) {
    if (size * WIDTH == items.length) {
      items = Arrays.copyOf(items, 2 * items.length);
    }
    int at = size++;
    while (at > 0) {
      int parent = at - 1 >>> 1;
      if (before(parent * WIDTH, time, rank)) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    set(at, time, rank, payload);
    nextTime = items[0];
  }

  /** Takes the earliest event out and returns its payload. */
  public long remove() {
    long first = items[2];
    size--;
    int moved = size * WIDTH;
    long time = items[moved];
    long rank = items[moved + 1];
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      int other = (child + 1) * WIDTH;
      if (child + 1 < size && before(other, items[child * WIDTH], items[child * WIDTH + 1])) {
        child++;
      }
      if (!before(child * WIDTH, time, rank)) {
        break;
      }
      move(child, at);
      at = child;
    }
    set(at, time, rank, items[moved + 2]);
    nextTime = size == 0 ? Long.MAX_VALUE : items[0];
    return first;
  }

  private boolean before(int place, long time, long rank) {
    return items[place] < time || items[place] == time && items[place + 1] <= rank;
  }

  private void move(int from, int to) {
    int place = from * WIDTH;
    set(to, items[place], items[place + 1], items[place + 2]);
  }

  private void set(int at, long time, long rank, long payload) {
    int place = at * WIDTH;
    items[place] = time;
    items[place + 1] = rank;
    items[place + 2] = payload;
  }
}
