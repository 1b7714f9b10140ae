package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * An SM's requests of one window and what it is told of them. A request is of the window in which
 * it leaves the SM. The memory side reads the requests of all SMs by time, here one and there one:
 * the words of a request lie side by side.
 */
final class Batch {
  private static final int ROOM = 256;

  // The words of a request: time, line, what it does and the words it writes, tag and slice of L2.
  static final int WORDS = 4;
  static final int LINE = 1;
  static final int INFO = 2;
  static final int TAG = 3;

  /** How many there are; the first of them were made before the window, which they leave in. */
  int size;

  int carried;

  /** Numbers of those that were, and of the first that was not. */
  long[] carriedNumber = new long[8];

  long firstNumber;

  private long[] requests = new long[WORDS * ROOM];

  /** Of the first so many requests the slice is known. */
  int located;

  final Replies replies = new Replies(ROOM);

  void add(long time, long line, int info, int words, int tag) {
    int at = WORDS * size++;
    if (at == requests.length) {
      requests = Arrays.copyOf(requests, 2 * at);
    }
    requests[at] = time;
    requests[at + LINE] = line;
    requests[at + INFO] = both(info, words);
    requests[at + TAG] = both(tag, 0);
  }

  private static long both(int low, int high) {
    return low & 0xffffffffL | (long) high << 32;
  }

  /** When it leaves the SM. */
  long time(int i) {
    return requests[WORDS * i];
  }

  /** It leaves no earlier than at a cycle. */
  void postpone(int i, long time) {
    requests[WORDS * i] = Math.max(requests[WORDS * i], time);
  }

  long line(int i) {
    return requests[WORDS * i + LINE];
  }

  /** Kind, sectors and the rest of what {@link Requests#add} was told. */
  int info(int i) {
    return (int) requests[WORDS * i + INFO];
  }

  /** The words of the line that are written in full. */
  int words(int i) {
    return (int) (requests[WORDS * i + INFO] >>> 32);
  }

  /** A store becomes larger. */
  void enlarge(int i, int info, int words, int tag) {
    requests[WORDS * i + INFO] = both(info, words);
    requests[WORDS * i + TAG] = both(tag, (int) (requests[WORDS * i + TAG] >>> 32));
  }

  int tag(int i) {
    return (int) requests[WORDS * i + TAG];
  }

  /** Says in which slice the line of the next request is of which that is not known. */
  void locate(int slice) {
    int i = located++;
    requests[WORDS * i + TAG] = both(tag(i), slice);
  }

  /** Copies a request's words. */
  void copy(int i, long[] to, int at) {
    for (int word = 0; word < WORDS; word++) {
      to[at + word] = requests[WORDS * i + word];
    }
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
      if (other.time(i) >= from) {
        if (carried == carriedNumber.length) {
          carriedNumber = Arrays.copyOf(carriedNumber, 2 * carried);
        }
        carriedNumber[carried++] = other.number(i);
        add(other.time(i), other.line(i), other.info(i), other.words(i), other.tag(i));
      } else if (carried > 0) {
        other.move(i, i - carried);
      }
    }
    other.size -= carried;
    other.located = located ? other.size : 0;
    other.carried = 0;
  }

  private void move(int i, int to) {
    System.arraycopy(requests, WORDS * i, requests, WORDS * to, WORDS);
  }

  /** All requests are answered, or nobody waits for them any more. */
  void clearRequests() {
    size = 0;
    located = 0;
    carried = 0;
  }
}
