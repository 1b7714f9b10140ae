package dev.warpline.amd.memory;

import java.util.Arrays;

/**
 * Requests that compute units have sent to the shared side and that have not been served yet. One
 * per group of compute units that run on one thread.
 */
public final class RequestBuffer {
  private long[] arrivals = new long[64];
  private long[] targets = new long[64];
  private long[] infos = new long[64];
  private int size;

  /**
   * @param arrival cycle at which the request reaches the server
   * @param kind what is asked
   * @param cu who asks
   * @param target line or page number
   * @param reference comes back with the answer
   * @param weight accesses of an atomic to the same place
   */
  public void send(long arrival, Request kind, int cu, long target, int reference, int weight) {
    if (size == arrivals.length) {
      arrivals = Arrays.copyOf(arrivals, size * 2);
      targets = Arrays.copyOf(targets, size * 2);
      infos = Arrays.copyOf(infos, size * 2);
    }
    arrivals[size] = arrival;
    targets[size] = target;
    infos[size] = pack(kind, cu, reference, weight);
    size++;
  }

  private static long pack(Request kind, int cu, int reference, int weight) {
    return (long) kind.ordinal() << 60 | (long) cu << 44 | (long) weight << 32 | reference;
  }

  int size() {
    return size;
  }

  long arrival(int i) {
    return arrivals[i];
  }

  long target(int i) {
    return targets[i];
  }

  long info(int i) {
    return infos[i];
  }

  void clear() {
    size = 0;
  }

  static Request kind(long info) {
    return Request.of((int) (info >>> 60));
  }

  static int cu(long info) {
    return (int) (info >>> 44) & 0xffff;
  }

  static int weight(long info) {
    return (int) (info >>> 32) & 0xfff;
  }

  static int reference(long info) {
    return (int) info;
  }
}
