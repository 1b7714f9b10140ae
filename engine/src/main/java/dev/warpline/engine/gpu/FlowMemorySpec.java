package dev.warpline.engine.gpu;

import java.util.List;

/**
 * Memory side that reserves time instead of stepping: links, L2 partitions, device memory. Cycles
 * are core cycles; device memory has a clock of its own, so its times are nanoseconds and its rate
 * counts its clocks.
 */
public record FlowMemorySpec(
    @Field("SMs that share a link to L2 (GPCs), in the order they get blocks")
        List<List<Integer>> groups,
    @Field("L2 partition that each group reads through") List<Integer> sides,
    @Field(value = "replies to an SM", unit = "bytes per cycle") double smReadBytes,
    @Field(value = "replies to a group", unit = "bytes per cycle") double groupReadBytes,
    @Field(value = "stores of a group", unit = "bytes per cycle") double groupWriteBytes,
    @Field("reads of one group that share a request while L2 has not answered it; 1: none do")
        int mergedReads,
    @Field("L2 partitions; with 2, lines of the far one are copied to the near one") int partitions,
    @Field("L2 slices") int slices,
    @Field(value = "L2", unit = "MiB") int l2MiB,
    @Field(value = "associativity of L2", unit = "ways") int l2Ways,
    @Field(value = "a slice reads a sector", unit = "cycles") double l2SectorCycles,
    @Field(value = "a slice writes a whole sector", unit = "cycles") double l2WriteCycles,
    @Field(value = "a slice writes a part of a sector that is complete", unit = "cycles")
        double l2PartialWriteCycles,
    @Field(value = "a slice adds bytes to a sector it holds in part", unit = "cycles")
        double l2MaskedWriteCycles,
    @Field(value = "a slice writes a part of a further sector of the line", unit = "cycles")
        double l2NextPartialCycles,
    @Field(value = "sectors written in part that L2 keeps byte masks for", unit = "sectors")
        int partialSectors,
    @Field(value = "a slice does atomics on a sector", unit = "cycles") double l2AtomicCycles,
    @Field(value = "between integer atomics on one word", unit = "cycles") double atomicWordCycles,
    @Field(value = "between floating-point atomics on one word", unit = "cycles")
        double atomicFloatCycles,
    @Field(value = "SM to slice", unit = "cycles") int requestCycles,
    @Field(value = "slice to SM", unit = "cycles") int replyCycles,
    @Field(value = "a slice answers a hit", unit = "cycles") int l2Cycles,
    @Field(value = "half width of the latency difference by SM and slice", unit = "cycles")
        int positionSpread,
    @Field(value = "from one partition to the other", unit = "bytes per cycle") double linkBytes,
    @Field(value = "more when only the other partition has the line", unit = "cycles")
        int farCycles,
    @Field("address bits whose parity is the home partition") List<Integer> homeBits,
    @Field(value = "more when device memory answers", unit = "ns") double dramNs,
    @Field("channels") int dramChannels,
    @Field(value = "a channel's peak", unit = "bytes per DRAM clock") double dramClockBytes,
    @Field(value = "fetched at a time", unit = "bytes") int dramFetchBytes,
    @Field(value = "channel time lost by opening another row", unit = "ns") double dramRowNs,
    @Field(value = "the same for a write, which must recover before the row closes", unit = "ns")
        double dramWriteRowNs,
    @Field(value = "stretch of addresses whose pieces share a row in each channel", unit = "bytes")
        int dramRowBytes,
    @Field(value = "between two refreshes of a bank; 0: none", unit = "ns")
        double dramRefreshEveryNs,
    @Field(value = "a refresh holds up a read by at most", unit = "ns") double dramRefreshNs,
    @Field(value = "channel time lost between reads and writes", unit = "ns") double dramTurnNs) {
  /** Least time from a request's leaving an SM to its reply: the window of a simulation. */
  public int lookAhead() {
    return requestCycles + replyCycles + l2Cycles - positionSpread;
  }

  /** Peak of a DRAM channel in bytes per core cycle. */
  public double dramBytesPerCycle(ClockSpec clocks) {
    return ClockSpec.rounded(dramClockBytes * clocks.dramMHz() / clocks.coreMHz());
  }
}
