package dev.warpline.engine.gpu;

/** A described GPU: everything that shapes its timing. */
public record GpuDescription(
    @Field("name of the product") String name,
    @Field("who makes it") Vendor vendor,
    @Field("name of the architecture, e.g. Hopper") String architecture,
    @Field(value = "which cores it offers, and how far each was validated", optional = true)
        CoresSpec cores,
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
    @Field(
            value =
                "the one card that was measured: its SMs by number, over sm.count and modern.layout",
            optional = true)
        CardSpec card,
    @Field(value = "what events cost in joules (modern core)", optional = true) EnergySpec energy,
    @Field(value = "calls of the host, gaps and copies of whole programs", optional = true)
        ProgramSpec program,
    @Field(value = "compute units, caches, memory and queues (AMD)", optional = true) AmdSpec amd) {

  private static final int MOST_LINES = 1 << 23;

  public GpuDescription {
    if (sm != null && classic != null) {
      classic.checkSms(sm.count());
      if (sm.l1().unified()) {
        checkUnifiedL1(sm, classic);
      }
    }
    if (flowMemory != null) {
      flowMemory.checkWindow(clocks);
    }
  }

  private static void checkUnifiedL1(SmSpec sm, ClassicCoreSpec classic) {
    long lines = 8L * sm.l1().sizeKiB() * sm.count();
    Checks.require(
        lines <= MOST_LINES,
        "sm.l1.sizeKiB, sm.count: found "
            + lines
            + " lines of 128 bytes in all, expected at most "
            + MOST_LINES);
    int way = classic.l1().cache().sets() * classic.l1().cache().lineBytes();
    Checks.require(
        sm.l1().sizeKiB() * 1024 >= way,
        "sm.l1.sizeKiB: found "
            + sm.l1().sizeKiB()
            + ", expected room for a way of classic.l1.cache.sets times"
            + " classic.l1.cache.lineBytes, "
            + way
            + " bytes");
  }

  /** What is said of the modern core. */
  public CoresSpec.Statement modernCore() {
    return cores == null || cores.modern() == null ? CoresSpec.Statement.NONE : cores.modern();
  }

  /** What is said of the classic core. */
  public CoresSpec.Statement classicCore() {
    return cores == null || cores.classic() == null ? CoresSpec.Statement.NONE : cores.classic();
  }

  /** What is said of AMD's compute units. */
  public CoresSpec.Statement gcnCore() {
    return cores == null || cores.gcn() == null ? CoresSpec.Statement.NONE : cores.gcn();
  }

  /** Whether programs may run on the modern core. */
  public boolean offersModern() {
    return modern != null && flowMemory != null && modernCore().offered();
  }

  /** Whether programs may run on the classic core. */
  public boolean offersClassic() {
    return classic != null && detailedMemory != null && classicCore().offered();
  }

  /** Who makes a GPU. */
  public enum Vendor {
    NVIDIA,
    AMD
  }
}
