package dev.warpline.nvidia.classic;

/** The slots between two pipeline stages for one kind of unit. */
final class PipelineRegister {
  private final int[] slot;

  /** Slots in use, a bit each. */
  int full;

  PipelineRegister(int width) {
    slot = new int[width];
  }

  int width() {
    return slot.length;
  }

  boolean isFull() {
    return Integer.bitCount(full) == slot.length;
  }

  boolean isFree(int at) {
    return (full >>> at & 1) == 0;
  }

  /** A free slot; there must be one. */
  int freeSlot() {
    return Integer.numberOfTrailingZeros(~full);
  }

  int get(int at) {
    return slot[at];
  }

  void put(int at, int instruction) {
    slot[at] = instruction;
    full |= 1 << at;
  }

  void clear(int at) {
    full &= ~(1 << at);
  }

  /** The slot with the instruction that was issued first; one must be in use. */
  int oldest(InFlight flight) {
    int best = Integer.numberOfTrailingZeros(full);
    for (int left = full & full - 1; left != 0; left &= left - 1) {
      int at = Integer.numberOfTrailingZeros(left);
      if (flight.age[slot[at]] < flight.age[slot[best]]) {
        best = at;
      }
    }
    return best;
  }
}
