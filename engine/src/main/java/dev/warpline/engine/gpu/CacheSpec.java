package dev.warpline.engine.gpu;

/** A cache in the terms of GPGPU-Sim's cache string. */
public record CacheSpec(
    @Field("whether a 128-byte line is filled in sectors of 32 bytes") boolean sectored,
    @Field(value = "sets", least = 1) int sets,
    @Field(value = "line", unit = "bytes", least = 1) int lineBytes,
    @Field(value = "lines of a set", least = 1) int ways,
    @Field("which line makes room") Replacement replacement,
    @Field("what happens on a write") Write write,
    @Field("when a missing line gets its place") Allocate allocate,
    @Field("what a write that misses does") WriteAllocate writeAllocate,
    @Field("how an address chooses its set") SetIndex setIndex,
    @Field("kind of miss-status registers") Mshr mshr,
    @Field(value = "miss-status registers (texture: fragment queue)") int mshrEntries,
    @Field(value = "requests merged into one of them (texture: request queue)") int mshrMerge,
    @Field(value = "queue of misses (texture: reorder buffer)") int missQueue,
    @Field(value = "texture result queue", standard = "0") int resultQueue,
    @Field(value = "data port, 0: a whole line", unit = "bytes", standard = "0")
        int dataPortBytes) {

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

  /** Kind of miss-status holding registers. */
  public enum Mshr {
    ASSOCIATIVE,
    SECTOR_ASSOCIATIVE,
    TEXTURE_FIFO,
    SECTOR_TEXTURE_FIFO
  }

  /** Bytes of data. */
  public long bytes() {
    return (long) sets * ways * lineBytes;
  }
}
