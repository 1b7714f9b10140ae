package dev.warpline.nvidia.classic;

import dev.warpline.policy.LowestBit;

/** The slots between two pipeline stages for one kind of unit. */
final class PipelineRegister {
  private static final int UNKNOWN = -1;

  private final int[] slot;
  private final int all;

  /** Slots in use, a bit each. */
  int full;

  /** The slot with the instruction that was issued first, where that is known. */
  private int oldest = UNKNOWN;

  PipelineRegister(int width) {
    slot = new int[width];
    all = width == Integer.SIZE ? -1 : (1 << width) - 1;
  }

  int width() {
    return slot.length;
  }

  boolean isFull() {
    return full == all;
  }

  boolean isFree(int at) {
    return (full >>> at & 1) == 0;
  }

  /** A free slot; there must be one. */
  int freeSlot() {
    return LowestBit.of(~full);
  }

  int get(int at) {
    return slot[at];
  }

  void put(int at, int instruction) {
    oldest = full == 0 ? at : UNKNOWN;
    slot[at] = instruction;
    full |= 1 << at;
  }

  /** Puts an instruction that was issued after all others here. */
  void putYoungest(int at, int instruction) {
    oldest = full == 0 ? at : oldest;
    slot[at] = instruction;
    full |= 1 << at;
  }

  void clear(int at) {
    oldest = oldest == at ? UNKNOWN : oldest;
    full &= ~(1 << at);
  }

  /** The slot with the instruction that was issued first; one must be in use. */
  int oldest(InFlight flight) {
    if (oldest == UNKNOWN) {
      oldest = find(flight);
    }
    return oldest;
  }

  private int find(InFlight flight) {
    int best = LowestBit.of(full);
    for (int left = full & full - 1; left != 0; left &= left - 1) {
      int at = LowestBit.of(left);
      if (flight.age[slot[at]] < flight.age[slot[best]]) {
        best = at;
      }
    }
    return best;
  }
}
