package dev.warpline.engine.gpu;

/** A cache in the terms of GPGPU-Sim's cache string. */
public record CacheSpec(
    @Field("whether a 128-byte line is filled in sectors of 32 bytes") boolean sectored,
    @Field(value = "sets", least = 1, most = 1 << 16) int sets,
    @Field(value = "line", unit = "bytes", least = 32, most = 1024) int lineBytes,
    @Field(value = "lines of a set", least = 1, most = 1 << 12) int ways,
    @Field("which line makes room") Replacement replacement,
    @Field("what happens on a write") Write write,
    @Field("when a missing line gets its place") Allocate allocate,
    @Field("what a write that misses does") WriteAllocate writeAllocate,
    @Field("how an address chooses its set") SetIndex setIndex,
    @Field(value = "miss-status registers", least = 1, most = 1 << 16) int mshrEntries,
    @Field(value = "requests merged into one of them", least = 1, most = 1 << 16) int mshrMerge,
    @Field(value = "queue of misses", least = 2, most = 1 << 16) int missQueue,
    @Field(value = "data port, 0: a whole line", unit = "bytes", standard = "0", most = 1024)
        int dataPortBytes) {

  /** Lines of the largest cache whose tags are worth the memory: a gigabyte of 128-byte lines. */
  private static final long MOST_LINES = 1 << 23;

  public CacheSpec {
    Checks.powerOfTwo("sets", sets);
    Checks.powerOfTwo("lineBytes", lineBytes);
    Checks.require(
        !sectored || lineBytes == 128,
        "lineBytes: found " + lineBytes + ", expected 128 in a sectored cache");
    Checks.require(
        setIndex != SetIndex.IPOLY || sets <= 4096,
        "sets: found " + sets + ", expected at most 4096 with setIndex ipoly");
    Checks.require(
        setIndex != SetIndex.FERMI || sets == 32 || sets == 64,
        "sets: found " + sets + ", expected 32 or 64 with setIndex fermi");
    Checks.require(
        (long) sets * ways <= MOST_LINES,
        "sets times ways: found " + (long) sets * ways + ", expected at most " + MOST_LINES);
  }

  /** Replacement policy. */
  public enum Replacement {
    LRU,
    FIFO
  }

  /** Write policy. */
  public enum Write {
    READ_ONLY,
    WRITE_BACK,
    WRITE_THROUGH,
    WRITE_EVICT,
    /** Local memory is written back, global memory written through. */
    LOCAL_BACK_GLOBAL_THROUGH
  }

  /** Allocation policy. */
  public enum Allocate {
    ON_MISS,
    ON_FILL,
    STREAMING
  }

  /** Write-allocate policy. */
  public enum WriteAllocate {
    NONE,
    WRITE_AND_FETCH,
    FETCH_ON_WRITE,
    LAZY_FETCH_ON_READ
  }

  /** Set index function; also the bank hash of L1. */
  public enum SetIndex {
    LINEAR,
    XOR,
    IPOLY,
    FERMI,
    CUSTOM
  }

  /** Bytes of data. */
  public long bytes() {
    return (long) sets * ways * lineBytes;
  }
}
