package dev.warpline.engine;

import java.util.Arrays;

/**
 * Things to happen at known times, earliest first; those of the same time in the order they were
 * entered. A payload is a number its owner understands. Nothing is allocated once it has grown.
 */
public final class EventHeap {
  private long[] times = new long[16];
  private long[] orders = new long[16];
  private long[] payloads = new long[16];
  private int size;
  private long entered;

  public boolean isEmpty() {
    return size == 0;
  }

  /** Time of the earliest event, or {@code Long.MAX_VALUE}. */
  public long nextTime() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  public void add(long time, long payload) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      orders = Arrays.copyOf(orders, size * 2);
      payloads = Arrays.copyOf(payloads, size * 2);
    }
    long order = entered++;
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (before(times[parent], orders[parent], time, order)) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    set(at, time, order, payload);
  }

  /** Takes the earliest event out and returns its payload. */
  public long remove() {
    long first = payloads[0];
    size--;
    long time = times[size];
    long order = orders[size];
    long payload = payloads[size];
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size
          && before(times[child + 1], orders[child + 1], times[child], orders[child])) {
        child++;
      }
      if (before(time, order, times[child], orders[child])) {
        break;
      }
      move(child, at);
      at = child;
    }
    if (size > 0) {
      set(at, time, order, payload);
    }
    return first;
  }

  private static boolean before(long time, long order, long otherTime, long otherOrder) {
    return time < otherTime || (time == otherTime && order < otherOrder);
  }

  private void move(int from, int to) {
    set(to, times[from], orders[from], payloads[from]);
  }

  private void set(int at, long time, long order, long payload) {
    times[at] = time;
    orders[at] = order;
    payloads[at] = payload;
  }
}
