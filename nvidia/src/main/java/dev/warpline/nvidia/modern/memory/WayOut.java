package dev.warpline.nvidia.modern.memory;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.flow.Requests;

/**
 * The SM's port to the rest of the GPU: reads pass at once, stores and atomics take it for as long
 * as their data needs, and only so many sectors of stores may be on their way.
 */
final class WayOut {
  /** Lines that one instruction touches at most. */
  private static final int MOST_LINES = 64;

  private final ModernCoreSpec.LoadStore spec;
  final Requests requests;
  private double free;
  private long open;
  private int storeSectors;

  /** The lines of the store that came last and the one before it, and their requests. */
  private long[] lines = new long[MOST_LINES];

  private int[] numbers = new int[MOST_LINES];
  private int count;
  private long[] linesBefore = new long[MOST_LINES];
  private int[] numbersBefore = new int[MOST_LINES];
  private int countBefore;

  /** When the last of the stores so far leaves. */
  private long lastLeaves;

  private final StoresUnderWay storesDone = new StoresUnderWay();

  WayOut(ModernCoreSpec.LoadStore spec, Requests requests) {
    this.spec = spec;
    this.requests = requests;
  }

  void startKernel() {
    free = 0;
    open = 0;
    storeSectors = 0;
    count = 0;
    countBefore = 0;
    lastLeaves = 0;
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
  void nextStore() {
    long[] oldLines = linesBefore;
    int[] oldNumbers = numbersBefore;
    linesBefore = lines;
    numbersBefore = numbers;
    countBefore = count;
    lines = oldLines;
    numbers = oldNumbers;
    count = 0;
  }

  /**
   * Stores to a line; what the instruction before it stored there and is still here takes it along.
   */
  void store(long looked, long line, int sectors, int words, boolean local) {
    int number = requests.size();
    int more = sectors;
    int k = lastLeaves > looked ? before(line) : countBefore;
    if (k < countBefore) {
      int joined = requests.join(numbersBefore[k], looked, line, sectors, words);
      if (joined >= 0) {
        number = numbersBefore[k];
        more = joined;
      }
    }
    lines[count] = line;
    numbers[count++] = number;
    int sectorCount = Integer.bitCount(more);
    storeSectors += sectorCount;
    if (number < requests.size()) {
      send(looked, sectorCount * 32 / spec.writeBytes());
      return;
    }
    send(looked, portCycles(sectorCount, words));
    lastLeaves = leaves((long) free);
    int kind = Requests.WRITE | (local ? Requests.LOCAL : 0);
    requests.add(lastLeaves, line, kind, sectors, words, 0, false, Requests.STORES, sectorCount);
  }

  /** Where the instruction before has a line, mostly at the same place; their number if nowhere. */
  private int before(long line) {
    if (count < countBefore && linesBefore[count] == line) {
      return count;
    }
    int k = 0;
    while (k < countBefore && linesBefore[k] != line) {
      k++;
    }
    return k;
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
