package dev.warpline.engine.gpu;

/** The memory side as GPGPU-Sim models it: crossbar, L2 slices, DRAM channels. */
public record DetailedMemorySpec(
    @Field(value = "memory channels", least = 1) int channels,
    @Field(value = "L2 slices of a channel, a power of two", least = 1) int slicesPerChannel,
    @Field("how addresses spread over channels") ChannelIndex channelIndex,
    @Field(
            value =
                "address bits: dramid@<bit>;<64 letters> (R row, B bank, C column, S burst, D channel)",
            optional = true)
        String addressMapping,
    @Field(value = "preset of address bits, used without a mapping", standard = "0")
        int addressMask,
    @Field("network between SMs and slices") Crossbar crossbar,
    @Field("an L2 slice") L2Slice l2,
    @Field("a DRAM channel") Dram dram) {

  /** How an address chooses its channel. */
  public enum ChannelIndex {
    CONSECUTIVE,
    XOR,
    IPOLY,
    PAE,
    RANDOM,
    CUSTOM,
    IPOLY_MODULO
  }

  /** The crossbar. */
  public record Crossbar(
      @Field("crossbar, or the network of a BookSim file (simulated as a crossbar)")
          Network network,
      @Field(value = "packets an input port holds", least = 1) int inBuffer,
      @Field(value = "packets an output port holds", least = 1) int outBuffer,
      @Field(value = "2: requests and replies have crossbars of their own", least = 1) int subnets,
      @Field("who gets an output") Arbiter arbiter,
      @Field(value = "cycles between two moves of iSLIP's pointers", standard = "1", least = 1)
          int grantCycles,
      @Field(value = "flit, for statistics", unit = "bytes", least = 1) int flitBytes) {}

  /** Kind of network. */
  public enum Network {
    BOOKSIM,
    CROSSBAR
  }

  /** Arbitration of the crossbar. */
  public enum Arbiter {
    ROUND_ROBIN,
    ISLIP
  }

  /** An L2 slice and its queues. */
  public record L2Slice(
      @Field("the cache of a slice") CacheSpec cache,
      @Field(value = "fixed delay before the slice", unit = "core cycles") int latency,
      @Field(value = "queue from the network", unit = "packets", least = 1) int fromNetwork,
      @Field(value = "queue to DRAM", unit = "packets", least = 1) int toDram,
      @Field(value = "queue from DRAM", unit = "packets", least = 1) int fromDram,
      @Field(value = "queue to the network", unit = "packets", least = 1) int toNetwork,
      @Field(value = "whether copies from the host fill L2", standard = "true")
          boolean filledByCopies,
      @Field(
              value =
                  "address bits that a copy uses: 64 fills the lines it copies; Accel-Sim keeps 32,"
                      + " so that its copies miss them",
              unit = "bits",
              standard = "32",
              least = 32)
          int copyAddressBits,
      @Field(value = "whether dirty lines are dropped between kernels", standard = "false")
          boolean flush) {}

  /** A DRAM channel. */
  public record Dram(
      @Field(value = "fixed delay before the scheduler", unit = "core cycles") int latency,
      @Field("order of requests") Scheduler scheduler,
      @Field(value = "requests the scheduler sees, 0: no limit") int schedulerQueue,
      @Field(value = "requests on the way back, 0: 1024") int returnQueue,
      @Field(value = "chips ganged to a channel", standard = "1", least = 1) int chips,
      @Field(value = "data bus of a chip", unit = "bytes", least = 1) int busBytes,
      @Field(value = "burst", unit = "beats", least = 1) int burstLength,
      @Field(value = "data beats per command clock", least = 1) int beatsPerCommand,
      @Field("timing") Timing timing,
      @Field("whether a row and a column command fit in one cycle (HBM)") boolean dualCommandBus,
      @Field("how an address chooses its bank") BankIndex bankIndex,
      @Field("which bits of a bank number name its group") BankGroupIndex bankGroupIndex,
      @Field(value = "whether writes have a queue of their own", standard = "false")
          boolean separateWriteQueue,
      @Field(value = "entries of the write queue", standard = "32") int writeQueue,
      @Field(value = "writes begin at this fill", standard = "28") int writeHigh,
      @Field(value = "and end at this one", standard = "16") int writeLow,
      @Field(value = "whether turning the bus round is free", standard = "false")
          boolean freeTurnaround,
      @Field(
              value = "between two refreshes, 0: none, as in Accel-Sim",
              unit = "command cycles",
              standard = "0")
          int refreshInterval,
      @Field(value = "a refresh keeps all banks busy", unit = "command cycles", standard = "0")
          int refreshCycles,
      @Field(value = "fixed latency without banks", standard = "false") boolean simple) {}

  /** Order of DRAM requests. */
  public enum Scheduler {
    FIFO,
    FR_FCFS
  }

  /** How an address chooses its bank. */
  public enum BankIndex {
    LINEAR,
    XOR,
    IPOLY,
    CUSTOM
  }

  /** Which bits of a bank number name its bank group. */
  public enum BankGroupIndex {
    HIGH_BITS,
    LOW_BITS
  }

  /** DRAM timing in command cycles. */
  public record Timing(
      @Field(value = "banks", least = 1) int banks,
      @Field(value = "bank groups", least = 1) int bankGroups,
      @Field(value = "column to column", unit = "command cycles") int ccd,
      @Field(value = "row to row", unit = "command cycles") int rrd,
      @Field(value = "row to column", unit = "command cycles") int rcd,
      @Field(value = "row open at least", unit = "command cycles") int ras,
      @Field(value = "precharge", unit = "command cycles") int rp,
      @Field(value = "row cycle", unit = "command cycles") int rc,
      @Field(value = "read latency", unit = "command cycles") int cl,
      @Field(value = "write latency", unit = "command cycles") int wl,
      @Field(value = "write to read", unit = "command cycles") int cdlr,
      @Field(value = "write to precharge", unit = "command cycles") int wr,
      @Field(value = "column to column in one bank group", unit = "command cycles") int ccdl,
      @Field(value = "read to precharge in one bank group", unit = "command cycles") int rtpl) {}
}
