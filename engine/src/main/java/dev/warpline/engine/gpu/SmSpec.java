package dev.warpline.engine.gpu;

import java.util.List;

/** A streaming multiprocessor: how many there are, and what blocks can use on one of them. */
public record SmSpec(
    @Field(value = "SMs of the GPU", least = 1, most = 1024) int count,
    @Field(value = "SM number that code is compiled for, e.g. 90", least = 30, most = 255)
        int version,
    @Field(value = "sub-cores, each with its own scheduler", standard = "4", least = 1, most = 16)
        int subCores,
    @Field(value = "resident warps", least = 1, most = 64) int warps,
    @Field(value = "resident blocks", least = 1, most = 32) int blocks,
    @Field(value = "32-bit registers", standard = "65536", least = 1, most = 1 << 20) int registers,
    @Field(
            value = "registers are given to a warp in multiples of this",
            standard = "256",
            least = 1,
            most = 1 << 16)
        int registerUnit,
    @Field("first-level data cache and shared memory") L1Spec l1) {

  /**
   * The data array of an SM. Where L1 and shared memory share it, a kernel gets the smallest shared
   * size that lets the most blocks run, and the rest is cache.
   */
  public record L1Spec(
      @Field(
              value = "data array: L1 and, where it is unified, shared memory",
              unit = "KiB",
              least = 1,
              most = 1024)
          int sizeKiB,
      @Field("whether L1 and shared memory share the array") boolean unified,
      @Field(
              value = "shared memory sizes that a unified array can be set to, ascending",
              unit = "KiB",
              standard = "[]",
              most = 1024)
          List<Integer> sharedOptionsKiB,
      @Field(value = "most shared memory for the blocks of an SM", unit = "bytes", most = 1 << 20)
          int sharedBytes,
      @Field(
              value = "shared memory that the system takes for each block",
              unit = "bytes",
              standard = "0",
              most = 1 << 16)
          int reservedSharedBytesPerBlock,
      @Field(
              value =
                  "a kernel without shared memory gets so much of a unified array for each block"
                      + " that could run",
              unit = "KiB",
              standard = "4",
              most = 1024)
          int unusedSharedKiB,
      @Field(
              value = "and at most so much, or what the system takes",
              unit = "KiB",
              standard = "32",
              most = 1024)
          int mostUnusedSharedKiB) {
    public L1Spec {
      for (int i = 1; i < sharedOptionsKiB.size(); i++) {
        Checks.require(
            sharedOptionsKiB.get(i - 1) < sharedOptionsKiB.get(i),
            "sharedOptionsKiB: found " + sharedOptionsKiB + ", expected ascending sizes");
      }
    }
  }
}
