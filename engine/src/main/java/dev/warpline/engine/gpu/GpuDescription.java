package dev.warpline.engine.gpu;

/** A described GPU: everything that shapes its timing. */
public record GpuDescription(
    @Field("name of the product") String name,
    @Field("who makes it") Vendor vendor,
    @Field("name of the architecture, e.g. Hopper") String architecture,
    @Field("clock domains") ClockSpec clocks,
    @Field(value = "streaming multiprocessor: what a block can use (NVIDIA)", optional = true)
        SmSpec sm,
    @Field(value = "kernel and block launch (NVIDIA)", optional = true) LaunchSpec launch,
    @Field(value = "the classic core: the pipeline of GPGPU-Sim and Accel-Sim", optional = true)
        ClassicCoreSpec classic,
    @Field(
            value = "memory side of Accel-Sim, cycle by cycle: crossbar, L2 slices, DRAM channels",
            optional = true)
        DetailedMemorySpec detailedMemory,
    @Field(
            value = "the modern core: control bits, register-file cache, sub-core memory queues",
            optional = true)
        ModernCoreSpec modern,
    @Field(value = "memory side that reserves time: links, L2 partitions, DRAM", optional = true)
        FlowMemorySpec flowMemory,
    @Field(value = "compute units, caches, memory and queues (AMD)", optional = true) AmdSpec amd) {

  /** Who makes a GPU. */
  public enum Vendor {
    NVIDIA,
    AMD
  }
}
