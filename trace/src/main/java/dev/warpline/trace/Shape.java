package dev.warpline.trace;

/**
 * A payload without its base address: what accesses of different warps and iterations share. As
 * words: kind, then for {@link Payload#STRIDE} the stride; for {@link Payload#LIST} the distances
 * from the base, first (0) to last; for {@link Payload#BULK} the four operands, then runs with
 * addresses counted from the base; for {@link Payload#VALUES} the payload.
 */
final class Shape {
  private Shape() {}

  /** The base address of a payload, 0 if it has none. */
  static long base(long[] data, int at) {
    int length = Payload.length(data, at);
    return switch (Payload.kind(data, at)) {
      case Payload.STRIDE -> data[at + 1];
      case Payload.LIST -> length > 1 ? data[at + 1] : 0;
      case Payload.BULK -> length > 5 ? data[at + 5] : 0;
      default -> 0;
    };
  }

  /** Writes the shape of a payload; returns its number of words. */
  static int take(long[] data, int at, long base, long[] words) {
    int kind = Payload.kind(data, at);
    int length = Payload.length(data, at);
    words[0] = kind;
    if (kind == Payload.STRIDE) {
      words[1] = data[at + 2];
      return 2;
    }
    if (kind == Payload.LIST) {
      int listed = Payload.listed(data, at);
      for (int i = 0; i < listed; i++) {
        words[i + 1] = Payload.listed(data, at, i) - base;
      }
      return listed + 1;
    }
    for (int i = 1; i < length; i++) {
      words[i] = data[at + i] - (isAddress(kind, i) ? base : 0);
    }
    return length;
  }

  /** Writes the payload of a shape at a base; returns its number of words. */
  static int give(long[] words, int from, int size, long base, long[] data, int at) {
    int kind = (int) words[from];
    if (kind == Payload.STRIDE) {
      data[at] = Payload.header(Payload.STRIDE, 3);
      data[at + 1] = base;
      data[at + 2] = words[from + 1];
      return 3;
    }
    data[at] = Payload.header(kind, size);
    if (kind == Payload.LIST) {
      for (int i = 1; i < size; i++) {
        data[at + i] = words[from + i] + base;
      }
    } else {
      for (int i = 1; i < size; i++) {
        data[at + i] = words[from + i] + (isAddress(kind, i) ? base : 0);
      }
    }
    return size;
  }

  private static boolean isAddress(int kind, int index) {
    return kind == Payload.LIST || kind == Payload.BULK && index >= 5 && (index - 5) % 3 == 0;
  }
}
