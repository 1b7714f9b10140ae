package dev.warpline.nvidia.modern.async;

import dev.warpline.engine.EventHeap;
import java.util.Arrays;

/** Things that will happen at known cycles, each with a few numbers; their places are reused. */
final class Events {
  private final EventHeap heap = new EventHeap();
  int[] kind = new int[8];
  int[] place = new int[8];
  int[] address = new int[8];
  int[] count = new int[8];
  long[] bytes = new long[8];
  private int[] free = new int[8];
  private int frees;
  private int slots;

  /** Cycle of the event that {@link #take} returned. */
  long time;

  void clear() {
    heap.clear();
    frees = 0;
    slots = 0;
  }

  /** Cycle of the first event, {@code never} if there is none. */
  long next(long never) {
    return heap.isEmpty() ? never : heap.nextTime();
  }

  /** Takes the first event out; its numbers stay until the next {@link #add}. */
  int take() {
    time = heap.nextTime();
    int e = (int) heap.remove();
    free[frees++] = e;
    return e;
  }

  void add(long when, int itsKind, int itsPlace, int itsAddress, int itsCount, long itsBytes) {
    int e;
    if (frees > 0) {
      e = free[--frees];
    } else {
      e = slots++;
      if (e == kind.length) {
        int n = 2 * e;
        kind = Arrays.copyOf(kind, n);
        place = Arrays.copyOf(place, n);
        address = Arrays.copyOf(address, n);
        count = Arrays.copyOf(count, n);
        bytes = Arrays.copyOf(bytes, n);
        free = Arrays.copyOf(free, n);
      }
    }
    kind[e] = itsKind;
    place[e] = itsPlace;
    address[e] = itsAddress;
    count[e] = itsCount;
    bytes[e] = itsBytes;
    heap.add(when, e, e);
  }
}
