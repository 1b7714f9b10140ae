package dev.warpline.nvidia.modern.memory;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.flow.Requests;
import java.util.Arrays;

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

  /** By sub-core: what it stored last. */
  private final RecentStores[] recent;

  /** Sectors of stores that are on their way, by when they are answered. */
  private final DueCounts storesDone = new DueCounts();

  WayOut(ModernCoreSpec.LoadStore spec, Requests requests, int subCores) {
    this.spec = spec;
    this.requests = requests;
    recent = new RecentStores[subCores];
    Arrays.setAll(recent, i -> new RecentStores());
  }

  void startKernel() {
    free = 0;
    open = 0;
    storeSectors = 0;
    for (RecentStores stores : recent) {
      stores.clear();
    }
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

  /** The stores to follow are those of one instruction. */
  void nextStore(int subCore, long issued) {
    recent[subCore].next(issued);
  }

  /**
   * Stores to a line. What the sub-core's instruction before stored there takes it along if it is
   * still here.
   *
   * @param wait cycles from issue to issue in which another joins
   * @param settle cycles from issue to issue after which one finds another written
   * @return whether L1 keeps what it has of the line: a store that is too late to join another, and
   *     too early to find it written, leaves only its own words there
   */
  boolean store(
      int subCore,
      long looked,
      long line,
      int sectors,
      int words,
      long wait,
      long settle,
      boolean local) {
    RecentStores stores = recent[subCore];
    int k = wait > 0 ? stores.before(line) : -1;
    boolean joins = k >= 0 && (stores.gap() <= wait || stores.queued(k) > looked);
    int more = joins ? requests.join(stores.number(k), line, sectors, words) : -1;
    long number = more < 0 ? requests.nextNumber() : stores.number(k);
    int sectorCount = Integer.bitCount(more < 0 ? sectors : more);
    storeSectors += sectorCount;
    if (more < 0) {
      send(looked, portCycles(sectorCount, words));
      int kind = Requests.WRITE | (local ? Requests.LOCAL : 0);
      long when = leaves((long) free);
      requests.add(when, line, kind, sectors, words, 0, false, Requests.STORES, sectorCount);
    } else {
      send(looked, sectorCount * 32 / spec.writeBytes());
      requests.postpone(number, leaves(looked));
    }
    boolean settled = joins || stores.settled(line, settle);
    stores.add(line, number, (long) free);
    return settled;
  }

  /** Parts of sectors come with a word of which parts they are. */
  private double portCycles(int sectorCount, int words) {
    boolean whole = Integer.bitCount(words) == 8 * sectorCount;
    return sectorCount * 32 / spec.writeBytes() + (whole ? 0 : spec.partialStoreCycles());
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
