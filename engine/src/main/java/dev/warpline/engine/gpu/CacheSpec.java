package dev.warpline.engine.gpu;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Chosen;
import dev.warpline.policy.Named;
import dev.warpline.policy.Replacement;

/** A cache in the terms of GPGPU-Sim's cache string. */
public record CacheSpec(
    @Field("whether a 128-byte line is filled in sectors of 32 bytes") boolean sectored,
    @Field(value = "sets", least = 1, most = 1 << 16) int sets,
    @Field(value = "line", unit = "bytes", least = 32, most = 1024) int lineBytes,
    @Field(value = "lines of a set", least = 1, most = 1 << 12) int ways,
    @Field(value = "which line makes room") Chosen<Replacement> replacement,
    @Field("what happens on a write") Write write,
    @Field("when a missing line gets its place") Allocate allocate,
    @Field("what a write that misses does") WriteAllocate writeAllocate,
    @Field(value = "how an address chooses its set") Chosen<AddressHash> setIndex,
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
    Checks.hash("sets", sets, lineBytes, "setIndex", setIndex);
    Checks.require(
        (long) sets * ways <= MOST_LINES,
        "sets times ways: found " + (long) sets * ways + ", expected at most " + MOST_LINES);
  }

  /** Write policy. */
  @Named(value = "write policy", about = "what a cache does with the data of a write")
  public enum Write {
    @Named(value = "read-only", about = "never written: instructions (Accel-Sim's R)")
    READ_ONLY,
    @Named(
        value = "write-back",
        about = "keeps it, modified, until the line makes room (Accel-Sim's B)")
    WRITE_BACK,
    @Named(value = "write-through", about = "writes a hit, and sends it on (Accel-Sim's T)")
    WRITE_THROUGH,
    @Named(value = "write-evict", about = "drops the sector, and sends it on (Accel-Sim's E)")
    WRITE_EVICT,
    @Named(
        value = "local-back-global-through",
        about = "write-back for local memory, write-evict for global (Accel-Sim's L)")
    LOCAL_BACK_GLOBAL_THROUGH
  }

  /** Allocation policy. */
  @Named(value = "allocation", about = "when a line that is missing gets its place in a cache")
  public enum Allocate {
    @Named(value = "on-miss", about = "at the miss; others make room at once (Accel-Sim's m)")
    ON_MISS,
    @Named(value = "on-fill", about = "when its data arrives (Accel-Sim's f)")
    ON_FILL,
    @Named(
        value = "streaming",
        about = "when its data arrives, with as many misses as lines (Accel-Sim's s)")
    STREAMING
  }

  /** Write-allocate policy. */
  @Named(value = "write allocation", about = "what a write that misses does to a cache")
  public enum WriteAllocate {
    @Named(value = "none", about = "passes by (Accel-Sim's N)")
    NONE,
    @Named(
        value = "write-and-fetch",
        about = "is sent on, and its line fetched besides (Accel-Sim's W)")
    WRITE_AND_FETCH,
    @Named(
        value = "fetch-on-write",
        about = "takes a place; its sector is fetched unless all of it is written (Accel-Sim's F)")
    FETCH_ON_WRITE,
    @Named(
        value = "lazy-fetch-on-read",
        about = "takes a place; a read fetches what was not written (Accel-Sim's L)")
    LAZY_FETCH_ON_READ
  }

  /**
   * Why this cannot be the L1 data cache or an L2 slice of the classic core; null if it can. What
   * is refused here GPGPU-Sim refuses too, loses data with, or stands still with.
   */
  public String problemAsDataCache() {
    if (!sectored) {
      return "found lines filled as a whole (N), expected sectors (S) in a data cache";
    }
    if (write == Write.READ_ONLY) {
      return "found write policy read-only (R), expected another one in a data cache";
    }
    if (write == Write.WRITE_BACK && allocate != Allocate.ON_MISS) {
      return "found write policy write-back (B) with allocation "
          + word(allocate)
          + ", expected on-miss (m): a fill cannot wait for a write-back";
    }
    boolean keepsWrites =
        writeAllocate == WriteAllocate.FETCH_ON_WRITE
            || writeAllocate == WriteAllocate.LAZY_FETCH_ON_READ;
    if (keepsWrites && allocate != Allocate.ON_MISS) {
      return "found write allocation "
          + word(writeAllocate)
          + " with allocation "
          + word(allocate)
          + ", expected on-miss (m)";
    }
    if (keepsWrites && (write == Write.WRITE_EVICT || write == Write.LOCAL_BACK_GLOBAL_THROUGH)) {
      return "found write allocation "
          + word(writeAllocate)
          + " with write policy "
          + word(write)
          + ", which drops a sector when it is written; expected none (N) or write-and-fetch (W)";
    }
    return commonProblem();
  }

  /** Why this cannot be an instruction cache of the classic core; null if it can. */
  public String problemAsInstructionCache() {
    if (write != Write.READ_ONLY) {
      return "found write policy " + word(write) + ", expected read-only (R) in this cache";
    }
    if (writeAllocate != WriteAllocate.NONE) {
      return "found write allocation " + word(writeAllocate) + ", expected none (N) in this cache";
    }
    return commonProblem();
  }

  private String commonProblem() {
    if (dataPortBytes > 0 && lineBytes % dataPortBytes != 0) {
      return "found a data port of " + dataPortBytes + " bytes, expected a part of the line";
    }
    boolean twoPerWrite =
        writeAllocate == WriteAllocate.WRITE_AND_FETCH
            || writeAllocate == WriteAllocate.FETCH_ON_WRITE && write == Write.WRITE_THROUGH;
    return twoPerWrite && missQueue < 3
        ? "found a miss queue of " + missQueue + ", expected at least 3 with this write allocation"
        : null;
  }

  private static String word(Enum<?> constant) {
    return Binder.word(constant);
  }

  /** Bytes of data. */
  public long bytes() {
    return (long) sets * ways * lineBytes;
  }
}
