package dev.warpline.nvidia.modern.memory;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.code.CodeRow;
import java.util.Arrays;

/** A sub-core's queue of memory instructions in front of the path that the SM shares: a ring. */
final class MemoryQueue {
  private final ModernCoreSpec.LoadStore spec;
  private final int toAddress;
  private final int depth;
  final int[] warp;
  final CodeRow[] row;
  final int[] index;
  final int[] group;
  final long[] ready;
  final long[] issued;

  /** When each place is free again after its instruction was served. */
  private final long[] placeFree;

  int head;
  int size;

  /** When the address stage is free, and the sub-core's part of the shared path. */
  private long addressFree;

  long pathFree;

  /**
   * @param toAddress cycles from issue to address generation
   */
  MemoryQueue(ModernCoreSpec.LoadStore spec, int toAddress) {
    this.spec = spec;
    this.toAddress = toAddress;
    depth = spec.queue();
    warp = new int[depth];
    row = new CodeRow[depth];
    index = new int[depth];
    group = new int[depth];
    ready = new long[depth];
    issued = new long[depth];
    placeFree = new long[depth];
  }

  void startKernel() {
    head = 0;
    size = 0;
    addressFree = 0;
    pathFree = 0;
    Arrays.fill(placeFree, 0);
  }

  boolean full() {
    return size == depth;
  }

  /** When the next place is free; not {@link #full}. */
  long roomAt() {
    return placeFree[wrap(head + size)];
  }

  private int wrap(int place) {
    return place >= depth ? place - depth : place;
  }

  /** When the next instruction's addresses can be made, at the earliest. */
  long addressAt(long wanted) {
    return Math.max(wanted, addressFree);
  }

  /** Takes an instruction whose addresses are made from a cycle on. */
  void add(int w, CodeRow itsRow, int itsIndex, int itsGroup, long now, long address) {
    addressFree = address + spec.addressCycles();
    int at = wrap(head + size++);
    warp[at] = w;
    row[at] = itsRow;
    index[at] = itsIndex;
    group[at] = itsGroup;
    ready[at] = address + spec.entryCycles() - toAddress;
    issued[at] = now;
  }

  /** When the first instruction can enter the shared path. */
  long headReady() {
    return Math.max(ready[head], pathFree);
  }

  /** Removes the first instruction; its place is free from a cycle on. Returns the place. */
  int take(long free) {
    int at = head;
    head = wrap(head + 1);
    size--;
    placeFree[at] = free;
    return at;
  }
}
