package dev.warpline.memory.detailed;

import dev.warpline.engine.Counter;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestQueue;

/** A DRAM channel and who decides what it does, cycle by cycle. */
abstract class DramController {
  final RequestQueue returned = new RequestQueue(64);

  @Counter(value = "read bursts", unit = "bursts")
  long readBursts;

  @Counter(value = "write bursts", unit = "bursts")
  long writeBursts;

  @Counter("rows opened")
  long activates;

  @Counter("rows closed")
  long precharges;

  @Counter("requests accepted")
  long requests;

  @Counter(value = "cycles with work waiting", unit = "DRAM cycles")
  long activeCycles;

  @Counter(value = "cycles the data bus moved data", unit = "DRAM cycles")
  long dataCycles;

  /** Whether there is no room for a request. */
  abstract boolean isFull(boolean write);

  abstract void push(MemoryRequest request);

  /** Whether a cycle would do nothing at all. */
  abstract boolean isIdle();

  /**
   * One DRAM cycle.
   *
   * @return a write that has just finished, or null
   */
  abstract MemoryRequest cycle(long now);

  /** Finished reads, and writes whose sender wants to know. */
  final RequestQueue returned() {
    return returned;
  }
}
