package dev.warpline.memory.cache;

/**
 * Geometry and policies of a cache.
 *
 * @param sectored lines of four 32-byte sectors, each with its own state; otherwise the line is one
 * @param sets number of sets
 * @param lineBytes bytes of a line
 * @param ways lines of a set
 * @param replacement which line leaves
 * @param write what a write hit does
 * @param allocate when a missing line gets its place
 * @param writeAllocate what a write miss does
 * @param index how a set is chosen
 * @param missEntries sectors (lines) that may be outstanding
 * @param missMerge requests that may wait for one of them
 * @param missQueue requests that may wait to be sent on
 * @param portBytes bytes of the data port per cycle, 0 for a line
 * @param dirtyPercent dirty lines are spared from eviction until so many lines are dirty
 */
public record CacheSpec(
    boolean sectored,
    int sets,
    int lineBytes,
    int ways,
    Replacement replacement,
    WritePolicy write,
    Allocate allocate,
    WriteAllocate writeAllocate,
    SetIndex index,
    int missEntries,
    int missMerge,
    int missQueue,
    int portBytes,
    int dirtyPercent) {

  /** Which line of a set leaves. */
  public enum Replacement {
    LRU,
    FIFO
  }

  /** What a write that hits does. */
  public enum WritePolicy {
    READ_ONLY,
    WRITE_BACK,
    WRITE_THROUGH,
    WRITE_EVICT,
    /** Local memory is written back, global memory is written through and evicted. */
    LOCAL_BACK_GLOBAL_EVICT
  }

  /** When a line gets its place. */
  public enum Allocate {
    ON_MISS,
    ON_FILL
  }

  /** What a write that misses does. */
  public enum WriteAllocate {
    NONE,
    /** Sends the write on and reads the sector. */
    NAIVE,
    FETCH_ON_WRITE,
    /** Takes the written bytes; reads the rest when somebody asks for it. */
    LAZY_FETCH_ON_READ
  }

  /** How a set is chosen from an address. */
  public enum SetIndex {
    LINEAR,
    XOR,
    IPOLY,
    FERMI
  }

  public CacheSpec {
    if (Integer.bitCount(sets) != 1 || Integer.bitCount(lineBytes) != 1) {
      throw new IllegalArgumentException(
          "cache with " + sets + " sets of " + lineBytes + "-byte lines: expected powers of two");
    }
    if (sectored && lineBytes != 128) {
      throw new IllegalArgumentException(
          "sectored cache with lines of " + lineBytes + " bytes: expected 128");
    }
    if (portBytes == 0) {
      portBytes = lineBytes;
    }
  }

  /** Bytes that are fetched and tracked together. */
  public int atomBytes() {
    return sectored ? 32 : lineBytes;
  }

  /** Sectors of a line. */
  public int sectorsPerLine() {
    return sectored ? 4 : 1;
  }

  public long sizeBytes() {
    return (long) sets * ways * lineBytes;
  }

  /** The same cache with another number of ways. */
  public CacheSpec withWays(int count) {
    return new CacheSpec(
        sectored,
        sets,
        lineBytes,
        count,
        replacement,
        write,
        allocate,
        writeAllocate,
        index,
        missEntries,
        missMerge,
        missQueue,
        portBytes,
        dirtyPercent);
  }
}
