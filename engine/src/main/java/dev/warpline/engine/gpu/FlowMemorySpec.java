package dev.warpline.engine.gpu;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Chosen;
import dev.warpline.policy.PagePolicy;
import dev.warpline.policy.Replacement;
import java.util.List;

/**
 * Memory side that reserves time instead of stepping: links, L2 partitions, device memory. Every
 * number belongs to the clock of its part: the links' to {@code clocks.interconnectMHz}, the
 * slices' to {@code clocks.l2MHz}; device memory's times are nanoseconds and its rate counts its
 * clocks.
 */
public record FlowMemorySpec(
    @Field(value = "replies to an SM", unit = "bytes per core cycle", least = 1, most = 100_000)
        double smReadBytes,
    @Field(value = "replies to a group", unit = "bytes per link cycle", least = 1, most = 100_000)
        double groupReadBytes,
    @Field(value = "stores of a group", unit = "bytes per link cycle", least = 1, most = 100_000)
        double groupWriteBytes,
    @Field(
            value =
                "reads of one group that share a request while L2 has not answered it; 1: none do",
            least = 1,
            most = 127)
        int mergedReads,
    @Field(
            value = "lines whose last read such a group remembers, a power of two",
            unit = "lines",
            least = 4,
            most = 1 << 20)
        int mergeLines,
    @Field(
            value = "L2 partitions; with 2, lines of the far one are copied to the near one",
            least = 1,
            most = 2)
        int partitions,
    @Field(value = "L2 slices", least = 1, most = 1024) int slices,
    @Field(value = "L2", unit = "MiB", least = 1, most = 1 << 12) int l2MiB,
    @Field(value = "associativity of L2", unit = "ways", least = 1, most = 256) int l2Ways,
    @Field(value = "which line of an L2 set makes room", standard = "lru")
        Chosen<Replacement> l2Replacement,
    @Field(value = "which slice of its partition an address belongs to", standard = "mix:40")
        Chosen<AddressHash> sliceHash,
    @Field(value = "how an address chooses its L2 set", standard = "mix:20")
        Chosen<AddressHash> l2SetIndex,
    @Field(value = "a slice reads a sector", unit = "L2 cycles", most = 1000) double l2SectorCycles,
    @Field(value = "a slice serves a read, at least", unit = "L2 cycles", most = 1000)
        double l2ReadCycles,
    @Field(value = "a slice writes a whole sector", unit = "L2 cycles", most = 1000)
        double l2WriteCycles,
    @Field(value = "a slice writes a part of a sector", unit = "L2 cycles", most = 1000)
        double l2PartialWriteCycles,
    @Field(
            value = "a slice writes a part of a sector of local memory",
            unit = "L2 cycles",
            most = 1000)
        double l2LocalWriteCycles,
    @Field(
            value = "a slice writes a part of a further sector of the line",
            unit = "L2 cycles",
            most = 1000)
        double l2NextPartialCycles,
    @Field(
            value = "between writes of parts of sectors of one line",
            unit = "L2 cycles",
            most = 1000)
        double l2PartialTurnCycles,
    @Field(
            value = "lines with sectors written in part that L2 keeps byte masks for",
            unit = "lines",
            least = 1,
            most = 1 << 20)
        int partialLines,
    @Field(
            value = "a slice makes a sector whole for which there is no byte mask",
            unit = "L2 cycles",
            most = 1000)
        double l2MakeWholeCycles,
    @Field(value = "a slice does atomics on a sector", unit = "L2 cycles", most = 1000)
        double l2AtomicCycles,
    @Field(value = "between integer atomics on one word", unit = "L2 cycles", most = 1000)
        double atomicWordCycles,
    @Field(value = "between floating-point atomics on one word", unit = "L2 cycles", most = 1000)
        double atomicFloatCycles,
    @Field(value = "SM to slice", unit = "link cycles", most = 10_000) double requestCycles,
    @Field(value = "slice to SM", unit = "link cycles", most = 10_000) double replyCycles,
    @Field(value = "a slice answers a hit", unit = "L2 cycles", most = 10_000) double l2Cycles,
    @Field(
            value = "half width of the latency difference by SM and slice",
            unit = "link cycles",
            most = 10_000)
        double positionSpread,
    @Field(
            value = "from one partition to the other",
            unit = "bytes per link cycle",
            least = 1,
            most = 100_000)
        double linkBytes,
    @Field(
            value = "more when only the other partition has the line",
            unit = "link cycles",
            most = 10_000)
        double farCycles,
    @Field(value = "address bits whose parity is the home partition", least = 7, most = 63)
        List<Integer> homeBits,
    @Field(value = "more when device memory answers", unit = "ns", most = 10_000) double dramNs,
    @Field(value = "channels", least = 1, most = 1024) int dramChannels,
    @Field(value = "a channel's peak", unit = "bytes per DRAM clock", least = 0.1, most = 10_000)
        double dramClockBytes,
    @Field(value = "fetched at a time", unit = "bytes", least = 32, most = 128) int dramFetchBytes,
    @Field(value = "channel time lost by opening another row", unit = "ns", most = 1000)
        double dramRowNs,
    @Field(
            value = "the same for a write, which must recover before the row closes",
            unit = "ns",
            most = 1000)
        double dramWriteRowNs,
    @Field(
            value = "stretch of addresses whose pieces share a row in each channel",
            unit = "bytes",
            least = 128,
            most = 1 << 30)
        int dramRowBytes,
    @Field(
            value = "once in so long a bank answers late, as lone reads were measured; 0: never",
            unit = "ns",
            was = "dramRefreshEveryNs")
        double dramLateEveryNs,
    @Field(value = "and by at most", unit = "ns", most = 10_000, was = "dramRefreshNs")
        double dramLateNs,
    @Field(value = "channel time lost between reads and writes", unit = "ns", most = 1000)
        double dramTurnNs,
    @Field(
            value =
                "writes that a channel may be behind before lines of L2 that must be written keep"
                    + " their place",
            unit = "writes",
            standard = "256",
            most = 1 << 20)
        int dramWritesBehind,
    @Field("device memory by a standard") Dram dram) {

  /** Bytes of a line. */
  public static final int LINE = 128;

  /** What {@link Dram#standard} says when the fields beside it describe device memory. */
  public static final String FLOW = "flow";

  /** Device memory whose channels follow the commands of a DRAM standard. */
  public record Dram(
      @Field(
              value =
                  "flow: channels have the rates and times above; or a DRAM standard: a name, or a"
                      + " file of your own, whose organisation and times hold instead",
              standard = FLOW)
          String standard,
      @Field(value = "stacks or chips of the standard", standard = "1", least = 1, most = 256)
          int stacks,
      @Field(
              value =
                  "clocks.dramMHz at which the standard has its own clock, and AMD's channels"
                      + " without one their bandwidth",
              unit = "MHz",
              standard = "1000",
              least = 50,
              most = 20_000)
          double ratedMHz,
      @Field(
              value = "controller and the way there and back",
              unit = "ns",
              standard = "0",
              most = 10_000)
          double controllerNs,
      @Field(value = "how long the standard's banks keep rows open", standard = "open")
          Chosen<PagePolicy> pages,
      @Field(
              value = "writes that a channel collects before it turns to writing",
              standard = "32",
              least = 1,
              most = 1024)
          int writeQueue) {
    public Dram {
      if (!standard.equals(FLOW)) {
        DramStandard.check(standard);
      }
    }

    /** The standard, or null. */
    public DramStandard loaded() {
      return standard.equals(FLOW) ? null : DramStandard.known(standard);
    }
  }

  public FlowMemorySpec {
    Checks.require(
        slices % partitions == 0,
        "slices: found " + slices + ", expected a multiple of partitions, " + partitions);
    Checks.powerOfTwo("dramFetchBytes", dramFetchBytes);
    Checks.powerOfTwo("mergeLines", mergeLines);
    Checks.hash("slices of a partition", slices / partitions, LINE, "sliceHash", sliceHash);
    long sets = ((long) l2MiB << 20) / partitions / LINE / l2Ways;
    Checks.hash("L2 sets of a partition", (int) sets, LINE, "l2SetIndex", l2SetIndex);
  }

  /** {@link #positionSpread} in core cycles. */
  public int spread(ClockSpec clocks) {
    return (int) Math.round(clocks.fromInterconnect(positionSpread));
  }

  /**
   * Least time from a request's leaving an SM to its reply, in core cycles: that of a store, or of
   * a read that joins another as L2 answers it.
   */
  public int lookAhead(ClockSpec clocks) {
    double way = clocks.fromInterconnect(requestCycles + replyCycles);
    return (int) (way + 1e-6) - spread(clocks);
  }

  /** A description's own check, where the clocks are known. */
  void checkWindow(ClockSpec clocks) {
    Checks.require(
        lookAhead(clocks) >= 2,
        "flowMemory.positionSpread: found "
            + Bounds.text(positionSpread)
            + ", expected that flowMemory.requestCycles and flowMemory.replyCycles together take at"
            + " least two core cycles more than it, at clocks.coreMHz and clocks.interconnectMHz");
  }

  /** What a slice reads in a core cycle, in bytes. */
  public double sliceBytesPerCycle(ClockSpec clocks) {
    return 32 / clocks.fromL2(l2SectorCycles);
  }

  /** Channels of device memory. */
  public int channels() {
    DramStandard standard = dram.loaded();
    return standard == null ? dramChannels : dram.stacks() * standard.channels();
  }

  /** Peak of device memory in bytes per core cycle. */
  public double dramPeak(ClockSpec clocks) {
    DramStandard standard = dram.loaded();
    return standard == null
        ? dramChannels * dramBytesPerCycle(clocks)
        : channels()
            * standard.peakGigabytes()
            * 1000
            * (clocks.dramMHz() / dram.ratedMHz())
            / clocks.coreMHz();
  }

  /** Peak of a DRAM channel in bytes per core cycle. */
  public double dramBytesPerCycle(ClockSpec clocks) {
    return ClockSpec.rounded(dramClockBytes * clocks.dramMHz() / clocks.coreMHz());
  }
}
