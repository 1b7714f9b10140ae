package dev.warpline.memory;

/** A first-in first-out queue of requests in a ring that grows when it must. */
public final class RequestQueue {
  private MemoryRequest[] ring;
  private int head;
  private int size;

  public RequestQueue(int expected) {
    ring = new MemoryRequest[Math.max(2, Integer.highestOneBit(Math.max(1, expected - 1)) << 1)];
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public void push(MemoryRequest request) {
    if (size == ring.length) {
      MemoryRequest[] bigger = new MemoryRequest[ring.length * 2];
      for (int i = 0; i < size; i++) {
        bigger[i] = ring[head + i & ring.length - 1];
      }
      ring = bigger;
      head = 0;
    }
    ring[head + size & ring.length - 1] = request;
    size++;
  }

  public MemoryRequest peek() {
    return ring[head];
  }

  public MemoryRequest pop() {
    MemoryRequest request = ring[head];
    ring[head] = null;
    head = head + 1 & ring.length - 1;
    size--;
    return request;
  }
}
