package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * An SM's requests of one window, in columns, and what it is told of them. A request is of the
 * window in which it leaves the SM.
 */
final class Batch {
  private static final int ROOM = 256;

  /** How many there are; the first of them were made before the window, which they leave in. */
  int size;

  int carried;

  /** Numbers of those that were, and of the first that was not. */
  long[] carriedNumber = new long[8];

  long firstNumber;

  long[] time = new long[ROOM];
  long[] line = new long[ROOM];
  int[] info = new int[ROOM];
  int[] tag = new int[ROOM];
  int[] words = new int[ROOM];

  /** Of the first so many requests: their set and slice in L2. */
  int located;

  int[] set = new int[ROOM];
  int[] slice = new int[ROOM];

  final Replies replies = new Replies(ROOM);

  void add(long time, long line, int info, int words, int tag) {
    if (size == this.time.length) {
      grow();
    }
    this.time[size] = time;
    this.line[size] = line;
    this.info[size] = info;
    this.words[size] = words;
    this.tag[size++] = tag;
  }

  /** Number by which a request of this window is found, if it is still here, as the next gets. */
  long nextNumber() {
    return firstNumber + size - carried;
  }

  private long number(int i) {
    return i < carried ? carriedNumber[i] : firstNumber + i - carried;
  }

  /** Where a request is, by its number; negative if it has left. */
  int find(long number) {
    return number >= firstNumber
        ? carried + (int) (number - firstNumber)
        : Arrays.binarySearch(carriedNumber, 0, carried, number);
  }

  /** Begins with what another batch has that leaves no earlier than a cycle. */
  void carryOn(Batch other, long from) {
    firstNumber = other.nextNumber();
    boolean located = other.located == other.size;
    for (int i = 0; i < other.size; i++) {
      if (other.time[i] >= from) {
        if (carried == carriedNumber.length) {
          carriedNumber = Arrays.copyOf(carriedNumber, 2 * carried);
        }
        carriedNumber[carried++] = other.number(i);
        add(other.time[i], other.line[i], other.info[i], other.words[i], other.tag[i]);
      } else if (carried > 0) {
        other.move(i, i - carried);
      }
    }
    other.size -= carried;
    other.located = located ? other.size : 0;
    other.carried = 0;
  }

  private void move(int i, int to) {
    time[to] = time[i];
    line[to] = line[i];
    info[to] = info[i];
    tag[to] = tag[i];
    words[to] = words[i];
    set[to] = set[i];
    slice[to] = slice[i];
  }

  private void grow() {
    int n = 2 * size;
    time = Arrays.copyOf(time, n);
    line = Arrays.copyOf(line, n);
    info = Arrays.copyOf(info, n);
    tag = Arrays.copyOf(tag, n);
    words = Arrays.copyOf(words, n);
    set = Arrays.copyOf(set, n);
    slice = Arrays.copyOf(slice, n);
  }

  /** All requests are answered, or nobody waits for them any more. */
  void clearRequests() {
    size = 0;
    located = 0;
    carried = 0;
  }
}
