package dev.warpline.engine.gpu;

import dev.warpline.policy.Chosen;
import dev.warpline.policy.DramScheduler;
import dev.warpline.policy.PagePolicy;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The memory side as GPGPU-Sim models it: crossbar, L2 slices, DRAM channels. */
public record DetailedMemorySpec(
    @Field(value = "memory channels", least = 1, most = 1024) int channels,
    @Field(value = "L2 slices of a channel, a power of two", least = 1, most = 64)
        int slicesPerChannel,
    @Field("how addresses spread over channels") ChannelIndex channelIndex,
    @Field(
            value =
                "address bits: dramid@<bit>;<64 letters> (R row, B bank, C column, S burst, D channel)",
            optional = true)
        String addressMapping,
    @Field(value = "preset of address bits, used without a mapping", standard = "0", most = 160)
        int addressMask,
    @Field(
            value = "steps of the crossbar in a cycle of the network; each moves a flit per port",
            standard = "1",
            least = 0.01,
            most = 100)
        double interconnectSteps,
    @Field(
            value = "steps of an L2 slice in a cycle of L2; each moves a sector",
            standard = "1",
            least = 0.01,
            most = 100)
        double l2Steps,
    @Field("network between SMs and slices") Crossbar crossbar,
    @Field("an L2 slice") L2Slice l2,
    @Field("a DRAM channel") Dram dram) {

  private static final Pattern MAPPING = Pattern.compile("dramid@([0-9]{1,2});([^;]*)");

  private static final Set<Integer> MASKS =
      Set.of(0, 1, 2, 3, 5, 6, 14, 15, 16, 100, 103, 106, 160);

  public DetailedMemorySpec {
    Checks.powerOfTwo("slicesPerChannel", slicesPerChannel);
    if (addressMapping != null) {
      checkMapping(addressMapping);
    } else {
      Checks.require(
          MASKS.contains(addressMask),
          "addressMask: found "
              + addressMask
              + ", expected 0-3, 5, 6, 14-16, 100, 103, 106 or 160");
    }
    int slices = channels * slicesPerChannel;
    switch (channelIndex) {
      case XOR -> Checks.powerOfTwo("channels with channelIndex xor", channels);
      case PAE ->
          Checks.require(
              slices == 32,
              "channels times slicesPerChannel: found "
                  + slices
                  + ", expected 32 with channelIndex pae");
      default -> {}
    }
    Checks.require(
        slices <= 4096 && (long) slices * l2.cache().sets() * l2.cache().ways() <= 1 << 23,
        "channels, slicesPerChannel, l2.cache.sets, l2.cache.ways: found "
            + slices
            + " slices of "
            + l2.cache().sets() * l2.cache().ways()
            + " lines, expected at most 4096 slices and 8388608 lines in all");
    int bankBits = bankBits(addressMapping);
    Checks.require(
        dram.simple() || 1 << bankBits <= dram.banks(),
        (dram.standard() == null ? "dram.timing.banks" : "dram.standard")
            + ": found "
            + dram.banks()
            + (dram.standard() == null ? "" : " banks")
            + ", expected at least "
            + (1 << bankBits)
            + ": addresses have "
            + bankBits
            + " bank bits");
  }

  private static void checkMapping(String mapping) {
    Matcher parts = MAPPING.matcher(mapping);
    Checks.require(
        parts.matches() && Integer.parseInt(parts.group(1)) <= 40,
        "addressMapping: found "
            + mapping
            + ", expected dramid@<bit>;<64 letters>, the bit from 0 to 40");
    String letters = parts.group(2).replaceAll("[. |]", "");
    Checks.require(
        letters.matches("[BCDRSbcdrs0]{64}"),
        "addressMapping: found "
            + letters.length()
            + " letters, expected 64, each B (bank), C (column), D (channel), R (row), S (burst) or"
            + " 0");
  }

  /** Bits of an address that choose a bank; the numbered presets have two. */
  private static int bankBits(String mapping) {
    return mapping == null ? 2 : (int) mapping.chars().filter(c -> c == 'B' || c == 'b').count();
  }

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

  /** The crossbars, one for requests and one for replies. */
  public record Crossbar(
      @Field(value = "packets an input port holds", least = 1, most = 1 << 16) int inBuffer,
      @Field(value = "packets an output port holds", least = 1, most = 1 << 16) int outBuffer,
      @Field("who gets an output") Arbiter arbiter,
      @Field(
              value = "cycles between two moves of iSLIP's pointers",
              standard = "1",
              least = 1,
              most = 1000)
          int grantCycles,
      @Field(value = "flit, for statistics", unit = "bytes", least = 1, most = 1024)
          int flitBytes) {}

  /** Arbitration of the crossbar. */
  public enum Arbiter {
    ROUND_ROBIN,
    ISLIP
  }

  /** An L2 slice and its queues. */
  public record L2Slice(
      @Field("the cache of a slice") CacheSpec cache,
      @Field(value = "fixed delay before the slice", unit = "core cycles", least = 2) int latency,
      @Field(value = "queue from the network", unit = "packets", least = 1, most = 1 << 16)
          int fromNetwork,
      @Field(value = "queue to DRAM", unit = "packets", least = 1, most = 1 << 16) int toDram,
      @Field(value = "queue from DRAM", unit = "packets", least = 1, most = 1 << 16) int fromDram,
      @Field(value = "queue to the network", unit = "packets", least = 1, most = 1 << 16)
          int toNetwork,
      @Field(value = "whether copies from the host fill L2", standard = "true")
          boolean filledByCopies,
      @Field(
              value =
                  "address bits that a copy uses: 64 fills the lines it copies; Accel-Sim keeps 32,"
                      + " so that its copies miss them",
              unit = "bits",
              standard = "32",
              least = 32,
              most = 64)
          int copyAddressBits,
      @Field(value = "whether dirty lines are dropped between kernels", standard = "false")
          boolean flush) {

    /** A cache that cannot work is refused. */
    public L2Slice {
      String problem = cache.problemAsDataCache();
      Checks.require(problem == null, "cache: " + problem);
    }
  }

  /** A DRAM channel. */
  public record Dram(
      @Field(value = "fixed delay before the scheduler", unit = "core cycles") int latency,
      @Field(value = "order of requests") Chosen<DramScheduler> scheduler,
      @Field(value = "requests the scheduler sees, 0: no limit", most = 1 << 16) int schedulerQueue,
      @Field(value = "requests on the way back, 0: 1024", most = 1 << 16) int returnQueue,
      @Field(value = "chips ganged to a channel", standard = "1", least = 1, most = 64) int chips,
      @Field(value = "data bus of a chip", unit = "bytes", least = 1, most = 1024) int busBytes,
      @Field(value = "burst", unit = "beats", least = 1, most = 1024) int burstLength,
      @Field(value = "data beats per command clock", least = 1, most = 64) int beatsPerCommand,
      @Field("timing") Timing timing,
      @Field("whether a row and a column command fit in one cycle (HBM)") boolean dualCommandBus,
      @Field("how an address chooses its bank") BankIndex bankIndex,
      @Field("which bits of a bank number name its group") BankGroupIndex bankGroupIndex,
      @Field(value = "whether writes have a queue of their own", standard = "false")
          boolean separateWriteQueue,
      @Field(value = "entries of the write queue", standard = "32", most = 1 << 16) int writeQueue,
      @Field(value = "writes begin at this fill", standard = "28", most = 1 << 16) int writeHigh,
      @Field(value = "and end at this one", standard = "16", most = 1 << 16) int writeLow,
      @Field(value = "whether turning the bus round is free", standard = "false")
          boolean freeTurnaround,
      @Field(
              value = "between two refreshes, 0: none, as in Accel-Sim",
              unit = "command cycles",
              standard = "0",
              most = 10_000_000)
          int refreshInterval,
      @Field(
              value = "a refresh keeps all banks busy",
              unit = "command cycles",
              standard = "0",
              most = 1_000_000)
          int refreshCycles,
      @Field(value = "fixed latency without banks", standard = "false") boolean simple,
      @Field(
              value =
                  "each channel is one of a DRAM standard: a name, or a file of your own; its"
                      + " organisation and times then hold instead of the bus, burst, timing and"
                      + " refresh above",
              optional = true)
          String standard,
      @Field(
              value =
                  "clocks.dramMHz at which the standard has its own clock; needed with a standard",
              unit = "MHz",
              standard = "0",
              most = 20_000)
          double ratedMHz,
      @Field(value = "how long the standard's banks keep rows open", standard = "open")
          Chosen<PagePolicy> pages) {
    private static final Set<String> ACCEL_SIMS = Set.of("fr-fcfs", "fcfs");

    public Dram {
      Checks.require(
          standard != null || ACCEL_SIMS.contains(scheduler.words()),
          "scheduler: found "
              + scheduler
              + ", expected fr-fcfs or fcfs, or a standard whose channels it schedules");
      Checks.require(
          standard == null || !simple, "simple: found true, expected false with a standard");
      Checks.require(
          standard == null || ratedMHz >= 50,
          "ratedMHz: found "
              + ratedMHz
              + ", expected with a standard what clocks.dramMHz is when it has its own clock");
      if (standard != null) {
        DramStandard.check(standard);
      }
      Checks.require(
          burstLength >= beatsPerCommand,
          "burstLength: found "
              + burstLength
              + ", expected at least beatsPerCommand, "
              + beatsPerCommand);
      Checks.require(
          !separateWriteQueue || writeLow <= writeHigh && writeHigh <= writeQueue && writeHigh > 0,
          "writeLow, writeHigh, writeQueue: found "
              + writeLow
              + ", "
              + writeHigh
              + ", "
              + writeQueue
              + ", expected none larger than the next, and writeHigh at least 1");
      int access = timing.rc() + timing.rcd() + timing.cl() + timing.wl() + timing.cdlr();
      int least = refreshCycles + access + burstLength;
      Checks.require(
          refreshInterval == 0 || refreshInterval >= least,
          "refreshInterval: found "
              + refreshInterval
              + ", expected 0 or at least "
              + least
              + ", so that an access fits between two: refreshCycles, timing.rc, timing.rcd,"
              + " timing.cl, timing.wl, timing.cdlr and burstLength");
    }

    /** Bytes that a burst moves. */
    public int burstBytes() {
      return standard == null
          ? burstLength * busBytes * chips
          : DramStandard.known(standard).burstBytes();
    }

    /** The most that a channel moves in a cycle of {@code clocks.dramMHz}. */
    public double bytesPerClock() {
      if (standard == null) {
        return (double) chips * busBytes * beatsPerCommand;
      }
      DramStandard own = DramStandard.known(standard);
      return own.beatsPerClock() * own.busBits() / 8.0 * own.clockMHz() / ratedMHz;
    }

    /** Banks of a channel. */
    public int banks() {
      return standard == null ? timing.banks() : DramStandard.known(standard).banks();
    }
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
      @Field(value = "banks", least = 1, most = 64) int banks,
      @Field(value = "bank groups", least = 1, most = 64) int bankGroups,
      @Field(value = "column to column", unit = "command cycles", most = 1000) int ccd,
      @Field(value = "row to row", unit = "command cycles", most = 1000) int rrd,
      @Field(value = "row to column", unit = "command cycles", most = 1000) int rcd,
      @Field(value = "row open at least", unit = "command cycles", most = 1000) int ras,
      @Field(value = "precharge", unit = "command cycles", most = 1000) int rp,
      @Field(value = "row cycle", unit = "command cycles", most = 1000) int rc,
      @Field(value = "read latency", unit = "command cycles", most = 1000) int cl,
      @Field(value = "write latency", unit = "command cycles", most = 1000) int wl,
      @Field(value = "write to read", unit = "command cycles", most = 1000) int cdlr,
      @Field(value = "write to precharge", unit = "command cycles", most = 1000) int wr,
      @Field(value = "column to column in one bank group", unit = "command cycles", most = 1000)
          int ccdl,
      @Field(value = "read to precharge in one bank group", unit = "command cycles", most = 1000)
          int rtpl) {
    public Timing {
      Checks.powerOfTwo("banks", banks);
      Checks.powerOfTwo("bankGroups", bankGroups);
      Checks.require(
          bankGroups <= banks,
          "bankGroups: found " + bankGroups + ", expected at most banks, " + banks);
    }
  }
}
