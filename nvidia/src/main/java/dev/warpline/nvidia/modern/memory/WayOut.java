package dev.warpline.nvidia.modern.memory;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.flow.Requests;

/**
 * The SM's port to the rest of the GPU: reads pass at once, stores and atomics take it for as long
 * as their data needs, and only so many sectors of stores may be on their way.
 */
final class WayOut {
  private final ModernCoreSpec.LoadStore spec;
  final Requests requests;
  private double free;
  private long open;
  private int storeSectors;

  private final StoresUnderWay storesDone = new StoresUnderWay();

  WayOut(ModernCoreSpec.LoadStore spec, Requests requests) {
    this.spec = spec;
    this.requests = requests;
  }

  void startKernel() {
    free = 0;
    open = 0;
    storeSectors = 0;
    storesDone.clear();
  }

  /** Takes note of the stores that were answered. */
  void advance(long now) {
    storeSectors -= storesDone.take(now);
  }

  boolean takesStores(long now) {
    return free <= now + spec.storePortAhead() && storeSectors < spec.storeSectors();
  }

  /** When stores are taken again, as far as is known. */
  long takesStoresAt() {
    long when = (long) free - spec.storePortAhead();
    if (storeSectors >= spec.storeSectors()) {
      when = Math.max(when, storesDone.next());
    }
    return when;
  }

  /** A store was answered. */
  void answered(long when, int sectors) {
    storesDone.add(when, sectors);
  }

  void read(long looked, long line, int sectors, int miss) {
    requests.add(leaves(looked), line, Requests.READ, sectors, 0, 0, false, Requests.LOADS, miss);
  }

  void store(long looked, long line, int sectors, int words) {
    int count = Integer.bitCount(sectors);
    send(looked, count * 32 / spec.writeBytes());
    storeSectors += count;
    requests.add(
        leaves((long) free),
        line,
        Requests.WRITE,
        sectors,
        words,
        0,
        false,
        Requests.STORES,
        count);
  }

  /**
   * @param miss entry that waits for the value, or -1 for a reduction
   */
  void atomic(
      long looked,
      long line,
      int sectors,
      double perSector,
      int repeats,
      boolean floats,
      int miss) {
    int count = Integer.bitCount(sectors);
    send(looked, count * perSector);
    boolean value = miss >= 0;
    if (!value) {
      storeSectors += count;
    }
    requests.add(
        leaves((long) free),
        line,
        value ? Requests.ATOMIC : Requests.REDUCTION,
        sectors,
        0,
        repeats,
        floats,
        value ? Requests.LOADS : Requests.STORES,
        value ? miss : count);
  }

  private void send(long now, double cycles) {
    free = Math.max(free, now) + cycles;
  }

  /** When a request leaves the SM; the first of a kernel opens the way for all. */
  private long leaves(long looked) {
    if (open == 0) {
      open = looked + spec.firstAccessCycles();
    }
    return Math.max(looked, open) + spec.missLeave();
  }
}
