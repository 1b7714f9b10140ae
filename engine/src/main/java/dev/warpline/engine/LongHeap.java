package dev.warpline.engine;

import java.util.Arrays;

/** A heap of longs, smallest first. */
public final class LongHeap {
  private long[] items = new long[64];
  private int size;

  public void clear() {
    size = 0;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public long first() {
    return items[0];
  }

  public void add(long item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
    }
    int i = size++;
    while (i > 0) {
      int parent = i - 1 >> 1;
      if (items[parent] <= item) {
        break;
      }
      items[i] = items[parent];
      i = parent;
    }
    items[i] = item;
  }

  public long remove() {
    long first = items[0];
    long last = items[--size];
    int i = 0;
    while (2 * i + 1 < size) {
      int child = 2 * i + 1;
      if (child + 1 < size && items[child + 1] < items[child]) {
        child++;
      }
      if (items[child] >= last) {
        break;
      }
      items[i] = items[child];
      i = child;
    }
    items[i] = last;
    return first;
  }
}
